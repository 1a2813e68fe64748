import { hash } from 'node:crypto'
import type { Millis } from '../../domain/index.ts'
import type { RetryRule } from '../types.ts'
import type { CallFailure } from './call-result.ts'

/**
 * Returns a factor between 0.75 and 1.25, derived from the call's key. It spreads retries like
 * random jitter, but is the same in a replay.
 */
function jitter(key: string, tries: number): number {
  const byte = hash('sha256', `${key} ${tries}`, 'buffer')[0] ?? 0
  return 0.75 + byte / 512
}

/** The longest wait before a retry, even if `Retry-After` asks for more. */
const longestWait: Millis = 3_600_000

/** A rule that retries after `network` also does so after these: a remote agent is a part of the network. */
const likeNetwork: ReadonlySet<string> = new Set(['agent_offline', 'agent_busy'])

function applies({ on }: RetryRule, code: string): boolean {
  return on.includes(code) || (likeNetwork.has(code) && on.includes('network'))
}

/**
 * Returns how long to wait before the next try, or null if there must be none. @param tries how
 * many tries have been made
 */
export function nextDelay(rule: RetryRule, failure: CallFailure, tries: number, key: string): Millis | null {
  if (tries >= rule.attempts || !applies(rule, failure.code)) return null
  const grown = rule.backoff === 'exponential' ? rule.delay * 2 ** (tries - 1) : rule.delay
  const asked = failure.retryAfter === null ? 0 : Math.min(failure.retryAfter * 1_000, longestWait)
  return Math.round(Math.max(Math.min(grown, rule.maxDelay) * jitter(key, tries), asked))
}
