import type { RetryRule } from '../../plugin/index.ts'
import { parseDuration } from '../../yaml/index.ts'
import type { RetryDocument } from '../grammar/index.ts'

/** Codes that another try may cure, where a step does not say. */
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
