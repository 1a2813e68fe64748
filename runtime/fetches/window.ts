import type { AlertFetch, FetchState, Millis } from '../domain/index.ts'

const [second, minute, day]: readonly [Millis, Millis, Millis] = [1_000, 60_000, 24 * 3_600_000]

/** The time that one attempt asks for. */
export interface Window {
  /** The overlap is taken off already. */
  readonly since: Millis
  readonly until: Millis
  /** Whether it lasts until now. If not, the next attempt need not wait. */
  readonly current: boolean
  /** Whether the next attempt can ask for less. */
  readonly divisible: boolean
}

/**
 * Returns what the next attempt asks for. A fetch that can say `until` goes through a long time in parts. If answers are too large, the parts
 * become shorter, and so does the overlap.
 * @param bounded whether the input reads `until`
 */
export function nextWindow({ overlap }: Pick<AlertFetch, 'overlap'>, { since, halvings }: FetchState, now: Millis, bounded: boolean): Window {
  const share = 2 ** Math.min(halvings, 30)
  const until = bounded ? Math.min(now, since + Math.max(day / share, minute)) : now
  const earlier = Math.floor(overlap / share)
  return {
    since: Math.max(Math.min(since, until) - earlier, 0),
    until,
    current: until === now,
    divisible: earlier > second || (bounded && until - since > minute),
  }
}
