import type { Millis } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import { Sleeping } from '../failure/signals.ts'
import type { WaitContext } from './contexts.ts'

/** The longest wait in this process. For a longer wait the run sleeps in the store. */
export const longestWaitInProcess: Millis = 5_000

/** How to wait. */
export interface WaitOptions {
  readonly until: Millis
  /**
   * Whether the run must not end before that. A write in doubt is settled even if the run was cancelled or
   * its time is over.
   */
  readonly binding?: boolean
  /** The address whose record shows that the run went on after this wait. Absent: the step's own. */
  readonly before?: string
}

/**
 * Waits until a time: in this process if the wait is short, else asleep in the store.
 * @throws Sleeping: the run continues here when it is executed again; RunFailed `run_cancelled`, `run_timeout`
 */
export async function waitUntil(
  { clock, signal, cancel, checkTime, replay }: WaitContext,
  address: string,
  { until, binding = false, before = address }: WaitOptions,
): Promise<void> {
  const left = until - clock.now()
  if (left > 0 && !binding) {
    cancel.check()
    checkTime(address)
  }
  const recorded = replay.recorded?.waited(before, until)
  if (recorded) return recorded
  if (left > longestWaitInProcess) throw new Sleeping(until, binding)
  if (left > 0) await clock.sleep(left, signal)
}

/**
 * How long a run sleeps if its handler or script found no free slot. All slots have been taken for a while,
 * so one is unlikely to be free soon.
 */
const slotRetryDelay: Millis = 10_000

/**
 * Returns the error for a step whose code found no free slot. The code has not begun, and the run continues
 * later.
 * @param binding see `WaitOptions`
 */
export function sleepUntilSlot({ clock }: Pick<WaitContext, 'clock'>, binding = false): Sleeping {
  return new Sleeping(clock.now() + slotRetryDelay, binding)
}

const busy: ErrorCode = 'isolates_busy'

/**
 * Checks whether the handler of a failed call was started.
 * @throws Sleeping if it found no free slot
 */
export function checkHandlerStarted(execution: Pick<WaitContext, 'clock'>, { code }: CallFailure, binding = false): void {
  if (code === busy) throw sleepUntilSlot(execution, binding)
}
