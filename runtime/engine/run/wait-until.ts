import type { Millis } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import { Sleeping } from '../failure/signals.ts'
import type { WaitContext } from './contexts.ts'

/** A wait as short as this is not worth a job of its own. */
export const longestWaitInProcess: Millis = 5_000

/** How a wait is to be gone through. */
export interface WaitOptions {
  readonly until: Millis
  /** Whether the run may not end before: a write in doubt is settled also where the run is cancelled, or its time is over. */
  readonly binding?: boolean
}

/**
 * Lets time pass: a little in this process, more asleep in the store.
 * @throws Sleeping: the run goes on here when it is walked again; RunFailed `run_cancelled`, `run_timeout`
 */
export async function waitUntil(
  { clock, signal, cancel, checkTime }: WaitContext,
  address: string,
  { until, binding = false }: WaitOptions,
): Promise<void> {
  const left = until - clock.now()
  if (left > 0 && !binding) {
    cancel.check()
    checkTime(address)
  }
  if (left > longestWaitInProcess) throw new Sleeping(until, binding)
  if (left > 0) await clock.sleep(left, signal)
}

/** How long a run sleeps if its handler or script found no slot: all slots were taken for a while, and will be for some time. */
const slotRetryDelay: Millis = 10_000

/**
 * What a step throws whose code found no slot: it has not begun, and its run comes again later.
 * @param binding as of `Resting`
 */
export function sleepUntilSlot({ clock }: Pick<WaitContext, 'clock'>, binding = false): Sleeping {
  return new Sleeping(clock.now() + slotRetryDelay, binding)
}

const busy: ErrorCode = 'isolates_busy'

/**
 * Of a call that failed: whether its handler has begun at all.
 * @throws Sleeping where it found no slot
 */
export function checkHandlerStarted(execution: Pick<WaitContext, 'clock'>, { code }: CallFailure, binding = false): void {
  if (code === busy) throw sleepUntilSlot(execution, binding)
}
