import type { Millis } from '../../domain/index.ts'
import { type CallFailure, nextDelay, type RetryRule } from '../../plugin/index.ts'
import { checkAlive } from '../failure/check-alive.ts'
import type { RetryContext } from '../run/contexts.ts'
import { longestWaitInProcess, waitUntil } from '../run/wait-until.ts'
import { callKey } from './send-call.ts'

/** A failed try. */
export interface FailedTry {
  /** Where the journal records it: the step's address, or that of one request of its handler. */
  readonly place: string
  /** Number of tries so far. */
  readonly tries: number
  readonly failure: CallFailure
  /** Set if an earlier try may have happened: why that is unknown. Null: no earlier try happened. */
  readonly doubt?: CallFailure | null
  /** Whether the run must not end before the next try, even if no earlier try is in doubt. */
  readonly binding?: boolean
}

/**
 * Waits before the next try. A short wait happens in this process, a long one asleep in the store.
 * @returns false if there is no next try
 * @throws Sleeping, RunFailed `run_cancelled`, `run_timeout`
 */
export async function waitBeforeRetry(
  execution: RetryContext,
  rule: RetryRule,
  { place, tries, failure, doubt = null, binding = false }: FailedTry,
): Promise<boolean> {
  const delay = nextDelay(rule, failure, tries, callKey(execution, place))
  if (delay === null) return false
  const at = execution.clock.now()
  if (delay > longestWaitInProcess) {
    const why = doubt && { doubt: { code: doubt.code, message: doubt.message } }
    execution.journal.push({ kind: 'retried', address: place, tries, code: failure.code, until: at + delay, ...why, at })
  }
  await waitUntil(execution, place, { until: at + delay, binding: binding || doubt !== null })
  checkAlive(execution.signal)
  return true
}

/**
 * Finishes the wait before the next try that an earlier execution of the run began. Returns at once if that
 * wait is over, or if there was none.
 * @param binding whether the run must not end before the next try, even if none is in doubt
 * @returns number of tries so far
 * @throws the errors of `waitBeforeRetry`
 */
export async function finishRecordedWait(execution: RetryContext, place: string, binding = false): Promise<number> {
  const standing = execution.replay.retry(place)
  if (!standing) return 0
  const until: Millis = standing.until
  if (until > execution.clock.now()) await waitUntil(execution, place, { until, binding: binding || standing.doubt !== undefined })
  return standing.tries
}

/** Returns whether the run has already waited for the next try of a call, or began to wait in an earlier execution. */
export function hasWaited({ replay, writes }: Pick<RetryContext, 'replay' | 'writes'>, place: string): boolean {
  return replay.retry(place)?.tries === writes.counted(place)
}

/** A write that is sent again after its outcome was unknown. */
export interface Resend {
  readonly place: string
  readonly delay: Millis
  /** Why nobody knows whether it happened. Null: it is known that it did not happen. */
  readonly doubt: CallFailure | null
  /** Whether the run must not end before it. */
  readonly binding: boolean
}

/**
 * Waits before a write is sent again, once for each try.
 * @throws Sleeping
 */
export async function waitBeforeResend(execution: RetryContext, { place, delay, doubt, binding }: Resend): Promise<void> {
  if (hasWaited(execution, place)) return
  const at = execution.clock.now()
  const until = at + delay
  if (delay > longestWaitInProcess) {
    const { code, message } = doubt ?? { code: 'write_in_doubt', message: '' }
    execution.journal.push({
      kind: 'retried',
      address: place,
      tries: execution.writes.counted(place),
      code,
      until,
      ...(doubt && { doubt: { code, message } }),
      at,
    })
  }
  await waitUntil(execution, place, { until, binding })
  checkAlive(execution.signal)
}
