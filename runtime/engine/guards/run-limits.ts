import type { Clock, Millis } from '../../domain/index.ts'
import { durationText } from '../../formats/index.ts'
import type { PlanLimits } from '../../playbook/index.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'
import type { Waits } from '../journal/waits.ts'

/** What counts, for the message. */
const counted = 'which is limits.time. Only waits for people and pauses do not count.'

/** What the limits of a playbook depend on. */
export interface LimitContext {
  readonly clock: Clock
  /** Time that the run waits for people, or is stopped by pauses, does not count. */
  readonly waits: Waits
  /**
   * Whether some steps of an earlier execution still have to be replayed. They were in time, so they are replayed
   * even after the time limit.
   */
  isInTime(): boolean
  /** The step in which an earlier execution waited, if this one is not there yet. The time has passed in it. */
  waitsAt(): string | null
}

/** The limits on steps and time of one playbook in one run. */
export interface RunLimits {
  /** Counts a step. @throws RunFailed `steps_exceeded`, `run_timeout` */
  enter(address: string): void
  /**
   * Checks whether the time is over.
   * @param address of the step; null: no step
   * @throws RunFailed `run_timeout`
   */
  checkTime(address: string | null): void
  /** When the time is over. Null: there is no limit, or the run waits for people and time does not pass. */
  deadline(): Millis | null
}

/** Tracks the limits of a playbook. @param began when its time began */
export function runLimits({ steps: most, time }: PlanLimits, began: Millis, { clock, waits, isInTime, waitsAt }: LimitContext): RunLimits {
  const before = waits.total(began)
  const waited = (now: Millis): Millis => waits.total(now) - before
  let steps = 0
  const checkTime = (address: string | null): void => {
    if (time === null) return
    const now = clock.now()
    const taken = now - began - waited(now)
    if (taken > time && !isInTime()) throw new RunFailed(failed('run_timeout', `More than ${durationText(time)}, ${counted}`, waitsAt() ?? address))
  }
  return {
    enter(address) {
      steps += 1
      if (steps > most) throw new RunFailed(failed('steps_exceeded', `More than ${most} steps, which is limits.steps.`, address))
      checkTime(address)
    },
    checkTime,
    deadline: () => (time === null || waits.open.length > 0 ? null : began + time + waited(clock.now())),
  }
}
