import type { Clock } from '../../domain/index.ts'
import type { Deadline } from './deadline.ts'

/** How much of its time a request has left. */
export interface TimeLeft {
  /** A read's time-out includes every wait. A write may wait until its `sendBy`. */
  left(): Deadline
  over(): boolean
}

/** The clock of one request starts now. */
export function timeLeftOf(deadline: Deadline, clock: Clock): TimeLeft {
  const began = clock.now()
  const left = (): Deadline => (deadline.sendBy === null ? { ...deadline, timeout: Math.max(deadline.timeout - (clock.now() - began), 0) } : deadline)
  return { left, over: () => (deadline.sendBy === null ? left().timeout === 0 : clock.now() > deadline.sendBy) }
}
