import type { Millis } from '../domain/index.ts'
import { Sleeping } from './signals.ts'
import type { Walk } from './walk.ts'

/** A wait as short as this is not worth a job of its own. */
const inProcess: Millis = 5_000

/**
 * Lets time pass: a little in this process, more asleep in the store.
 * @param binding whether the run may not end before: a write in doubt is settled also where the run is cancelled
 * @throws Sleeping: the run goes on here when it is walked again; RunFailed `run_cancelled`
 */
export async function restUntil({ clock, signal, cancel }: Walk, until: Millis, binding = false): Promise<void> {
  const left = until - clock.now()
  if (left > 0 && !binding) cancel.check()
  if (left > inProcess) throw new Sleeping(until, binding)
  if (left > 0) await clock.sleep(left, signal)
}
