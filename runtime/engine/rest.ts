import type { Millis } from '../domain/index.ts'
import { Sleeping } from './signals.ts'
import type { Walk } from './walk.ts'

/** A wait as short as this is not worth a job of its own. */
const inProcess: Millis = 5_000

/** How a wait is to be gone through. */
export interface Resting {
  readonly until: Millis
  /** Whether the run may not end before: a write in doubt is settled also where the run is cancelled, or its time is over. */
  readonly binding?: boolean
}

/**
 * Lets time pass: a little in this process, more asleep in the store.
 * @throws Sleeping: the run goes on here when it is walked again; RunFailed `run_cancelled`, `run_timeout`
 */
export async function restUntil({ clock, signal, cancel, checkTime }: Walk, address: string, { until, binding = false }: Resting): Promise<void> {
  const left = until - clock.now()
  if (left > 0 && !binding) {
    cancel.check()
    checkTime(address)
  }
  if (left > inProcess) throw new Sleeping(until, binding)
  if (left > 0) await clock.sleep(left, signal)
}
