import type { Clock, Millis } from '../../domain/index.ts'
import type { PlanLimits } from '../../playbook/index.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'
import type { Waits } from '../journal/waits.ts'

/** What the limits of a playbook look at. */
export interface LimitContext {
  readonly clock: Clock
  /** The time in which the run waits for people, or is kept by pauses, does not count. */
  readonly waits: Waits
  /** Whether something that an earlier life of the run began has not been come past yet: that is gone through however late it is. */
  isReplaying(): boolean
}

/** The steps and the time of a playbook, in one run of it. */
export interface RunLimits {
  /** Counts a step. @throws RunFailed `steps_exceeded`, `run_timeout` */
  enter(address: string): void
  /** @param address null: of no step. @throws RunFailed `run_timeout` */
  checkTime(address: string | null): void
  /** When its time is over; null: it has no limit, or its time does not pass while people are waited for. */
  deadline(): Millis | null
}

/** @param began when its time began */
export function runLimits({ steps: most, time }: PlanLimits, began: Millis, { clock, waits, isReplaying }: LimitContext): RunLimits {
  const before = waits.until(began)
  const waited = (now: Millis): Millis => waits.until(now) - before
  let steps = 0
  const checkTime = (address: string | null): void => {
    if (time === null) return
    const now = clock.now()
    const taken = now - began - waited(now)
    if (taken > time && !isReplaying()) throw new RunFailed(failed('run_timeout', `It has taken ${taken} ms.`, address))
  }
  return {
    enter(address) {
      steps += 1
      if (steps > most) throw new RunFailed(failed('steps_exceeded', `More than ${most} steps.`, address))
      checkTime(address)
    },
    checkTime,
    deadline: () => (time === null || waits.open.length > 0 ? null : began + time + waited(clock.now())),
  }
}
