import type { Millis } from '../../domain/index.ts'
import type { Sleeping } from '../failure/signals.ts'
import type { Execution } from './execution.ts'

/**
 * Returns the sleep, or the error that the run's time is over. The time limit is not checked while earlier
 * steps are replayed, so it may have passed already.
 */
export function sleepOrTimeout(execution: Execution, sleeping: Sleeping): unknown {
  if (sleeping.binding) return sleeping
  try {
    execution.checkTime(null)
    return sleeping
  } catch (error) {
    return error
  }
}

/**
 * Returns when to wake a sleeping run: at its time limit at the latest, so that the limit can end it. A run
 * that is past its limit and still had to sleep is not woken for that.
 */
export function clampWakeTime({ wakeAt: wanted }: Sleeping, execution: Execution): Millis | null {
  const deadline = execution.deadline()
  if (deadline === null || deadline < execution.clock.now()) return wanted
  return Math.min(wanted ?? Number.POSITIVE_INFINITY, deadline + 1)
}
