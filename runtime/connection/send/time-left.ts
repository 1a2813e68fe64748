import type { Clock } from '../../domain/index.ts'
import type { Deadline } from './deadline.ts'

/** How much time a request has left. */
export interface TimeLeft {
  /** A read's time-out includes all waiting. A write may wait until its `sendBy`. */
  left(): Deadline
  over(): boolean
}

/** Starts the clock of one request. */
export function timeLeftOf(deadline: Deadline, clock: Clock): TimeLeft {
  const began = clock.now()
  const left = (): Deadline => (deadline.sendBy === null ? { ...deadline, timeout: Math.max(deadline.timeout - (clock.now() - began), 0) } : deadline)
  return { left, over: () => (deadline.sendBy === null ? left().timeout === 0 : clock.now() > deadline.sendBy) }
}
