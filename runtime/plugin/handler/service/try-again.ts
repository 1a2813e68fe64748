import type { Millis } from '../../../domain/index.ts'
import type { HandlerHost } from '../../call/call-host.ts'
import { nextDelay } from '../../call/retry.ts'
import type { Plugin } from '../../types.ts'
import type { ActResult } from '../acts.ts'

/** A request that failed. */
export type Refused = Extract<ActResult, { ok: false }>

/**
 * Retries a request as the manifest says, so that one failed request does not restart a long call.
 * Only for skills that read. In a skill that writes, `host.acts` does the retries.
 * @param reads whether the request may be repeated if its outcome is unknown
 * @param ending aborted when the call ends. Nothing is retried then
 * @param left the rest of the call's time. A longer wait does not begin, because the time-out of
 * the call would hide the cause
 */
export async function tryAgain<Result extends { readonly ok: true }>(
  { manifest: { retry: rule } }: Plugin,
  { key, clock, log, patience }: Pick<HandlerHost, 'key' | 'clock' | 'log' | 'patience'>,
  { ending, left }: { readonly ending: AbortSignal; left(): Millis },
  reads: boolean,
  attempt: () => Promise<Result | Refused>,
): Promise<Result | Refused> {
  for (let tries = 1; ; tries += 1) {
    const result = await attempt()
    if (result.ok || rule === null || patience === null) return result
    const delay = reads || result.effect !== 'unknown' ? nextDelay(rule, result.failure, tries, key) : null
    if (delay === null || ending.aborted) return result
    if (delay > Math.min(patience, left())) return { ...result, failure: { ...result.failure, unwaited: true } }
    log('warn', 'a request is retried', { tries, code: result.failure.code, delay })
    const rested = await clock.sleep(delay, ending).then(
      () => true,
      () => false,
    )
    if (!rested) return result
  }
}
