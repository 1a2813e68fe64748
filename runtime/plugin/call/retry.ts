import { hash } from 'node:crypto'
import type { Millis } from '../../domain/index.ts'
import type { RetryRule } from '../types.ts'
import type { CallFailure } from './call-result.ts'

/** A factor of up to a quarter more or less, derived from the call's key: spread like random jitter, but the same in a replay. */
function jitter(key: string, tries: number): number {
  const byte = hash('sha256', `${key} ${tries}`, 'buffer')[0] ?? 0
  return 0.75 + byte / 512
}

/** The longest wait before a retry, even if `Retry-After` asks for more. */
const longestWait: Millis = 3_600_000

/** How long to wait before the next try; null: do not retry. @param tries how many were made so far */
export function nextDelay(rule: RetryRule, failure: CallFailure, tries: number, key: string): Millis | null {
  if (tries >= rule.attempts || !rule.on.includes(failure.code)) return null
  const grown = rule.backoff === 'exponential' ? rule.delay * 2 ** (tries - 1) : rule.delay
  const asked = failure.retryAfter === null ? 0 : Math.min(failure.retryAfter * 1_000, longestWait)
  return Math.round(Math.max(Math.min(grown, rule.maxDelay) * jitter(key, tries), asked))
}
