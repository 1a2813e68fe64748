import type { Millis } from '../domain/index.ts'
import type { Sleeping } from './signals.ts'
import type { Walk } from './walk.ts'

/** That it sleeps, or that its time is over: it may have been over before, and was not asked while something of earlier lives was to be gone through. */
export function stillIn(walk: Walk, sleeping: Sleeping): unknown {
  if (sleeping.binding) return sleeping
  try {
    walk.checkTime(null)
    return sleeping
  } catch (error) {
    return error
  }
}

/** A run that sleeps beyond its time limit is woken to end by it. One that could not end though it is past would only be woken for nothing. */
export function wakeAt({ wakeAt: wanted }: Sleeping, walk: Walk): Millis | null {
  const deadline = walk.deadline()
  if (deadline === null || deadline < walk.clock.now()) return wanted
  return Math.min(wanted ?? Number.POSITIVE_INFINITY, deadline + 1)
}
