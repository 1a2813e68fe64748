import type { Millis } from '../../domain/index.ts'
import type { Sleeping } from '../failure/signals.ts'
import type { Execution } from './execution.ts'

/** That it sleeps, or that its time is over: it may have been over before, and was not asked while something of earlier lives was to be gone through. */
export function sleepOrTimeout(execution: Execution, sleeping: Sleeping): unknown {
  if (sleeping.binding) return sleeping
  try {
    execution.checkTime(null)
    return sleeping
  } catch (error) {
    return error
  }
}

/** A run that sleeps beyond its time limit is woken to end by it. One that could not end though it is past would only be woken for nothing. */
export function clampWakeTime({ wakeAt: wanted }: Sleeping, execution: Execution): Millis | null {
  const deadline = execution.deadline()
  if (deadline === null || deadline < execution.clock.now()) return wanted
  return Math.min(wanted ?? Number.POSITIVE_INFINITY, deadline + 1)
}
