import type { Millis } from '../domain/index.ts'

/** Requests with the same key share a rate, because they use the same API key of an external system. */
export type RateKey = string

/**
 * A rate: `requests` in each `interval` (milliseconds), evenly spaced. After a quiet time, up to `burst`
 * requests may leave at once.
 */
export interface Rate {
  readonly requests: number
  readonly interval: Millis
  readonly burst: number
}

/** Permits that were taken for a key. Each lets one request leave. */
export interface Permits {
  /**
   * How long from now until each permit may be used, in milliseconds, ascending. 0: at once. Empty: no permit
   * is free within the requested time.
   */
  readonly delays: readonly Millis[]
  /** How long from now until the first permit may be used, in milliseconds, whether it was taken or not. */
  readonly opensIn: Millis
  /** Gives back the last `count` permits. They can be used again only if nobody took permits after them. */
  giveBack(count: number): void
}

/**
 * Gives permits for requests of a key, at its rate. A caller with waiting requests takes a few permits at a
 * time and comes back when those are used. So all callers of a key get an equal share. No method rejects. One
 * conformance suite (test/conformance/rate-limit) tests both implementations.
 */
export interface PermitSource {
  /**
   * Takes up to `most` permits that may be used at once. If there are none, takes the next permit and those
   * that follow it within `ahead`.
   * @param within the longest delay of the first permit, in milliseconds; if it comes later, none is taken
   */
  take(key: RateKey, rate: Rate, most: number, within: Millis): Promise<Permits>
  /**
   * Lets no request leave for `delay` milliseconds, and allows no burst after that. For an external system
   * that said it had too many requests.
   */
  hold(key: RateKey, rate: Rate, delay: Millis): Promise<void>
  /**
   * Returns for how many milliseconds the key is still held. 0: it is not held. Permits that were taken
   * earlier are not valid during that time.
   */
  heldFor(key: RateKey): Promise<Millis>
  close(): void
}

/** If requests must wait, the permits of at most this many milliseconds are taken together. */
export const ahead: Millis = 50
