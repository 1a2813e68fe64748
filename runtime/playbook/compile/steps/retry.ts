import { parseDuration } from '../../../formats/index.ts'
import type { RetryRule } from '../../../plugin/index.ts'
import { hint, misspelling } from '../../../yaml/index.ts'
import type { RetryDocument } from '../../grammar/index.ts'
import type { Compilation } from '../compilation.ts'

/** The default of `retry.on`: codes that may not occur again on another try. */
const worthAnother = ['network', 'call_timeout', 'rate_limited', 'vendor_unavailable']

export function retryOf(retry: RetryDocument | undefined): RetryRule | null {
  if (retry === undefined) return null
  return {
    attempts: retry.attempts,
    backoff: retry.backoff ?? 'exponential',
    delay: parseDuration(retry.delay ?? '1s'),
    maxDelay: parseDuration(retry.max_delay ?? '30s'),
    on: retry.on ?? worthAnother,
  }
}

/** Checks the codes in `retry.on`. A misspelt code never occurs, so the step would never be retried. */
export function checkRetryCodes(
  compilation: Compilation,
  integration: string,
  retry: RetryDocument | undefined,
  path: readonly (string | number)[],
): void {
  const known = compilation.lookup.codes(integration)
  for (const [at, code] of (retry?.on ?? []).entries()) {
    if (known.includes(code)) continue
    const message = `there is no error code \`${code}\`${hint(code, known)}`
    compilation.fault('retry_code_unknown', [...path, 'retry', 'on', at], message, 'value', misspelling(code, known).misspelt)
  }
}
