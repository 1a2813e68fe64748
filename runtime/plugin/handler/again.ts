import { nextDelay } from '../retry.ts'
import type { HandlerHost, Plugin } from '../types.ts'
import type { ActResult } from './acts.ts'

/** An attempt that came to nothing. */
export type Refused = Extract<ActResult, { ok: false }>

/**
 * Tries a request again as the manifest says, so that a long call does not begin anew for one of many. For skills that read; in one that writes whoever
 * keeps the acts does it.
 * @param reads whether the request may be repeated when its outcome is unknown
 * @param ending of the call: after it nothing is tried again
 */
export async function tryAgain<Result extends { readonly ok: true }>(
  { manifest: { retry: rule } }: Plugin,
  { key, clock, log }: Pick<HandlerHost, 'key' | 'clock' | 'log'>,
  ending: AbortSignal,
  reads: boolean,
  attempt: () => Promise<Result | Refused>,
): Promise<Result | Refused> {
  for (let tries = 1; ; tries += 1) {
    const result = await attempt()
    if (result.ok || rule === null) return result
    const delay = reads || result.effect !== 'unknown' ? nextDelay(rule, result.failure, tries, key) : null
    if (delay === null || ending.aborted) return result
    log('warn', 'a request is tried again', { tries, code: result.failure.code, delay })
    const rested = await clock.sleep(delay, ending).then(
      () => true,
      () => false,
    )
    if (!rested) return result
  }
}
