import type { Millis } from '../domain/index.ts'

/** Requests with the same key count together: they use the same key of an external system. */
export type RateKey = string

/** `requests` in each `interval`, evenly spaced. After a quiet time up to `burst` may leave at once. */
export interface Rate {
  readonly requests: number
  readonly interval: Millis
  readonly burst: number
}

/** Permits that were taken for a key. Each lets one request leave. */
export interface Permits {
  /**
   * How long from now until each may be used, in rising order. 0: at once. Empty: none is free within the
   * requested time.
   */
  readonly delays: readonly Millis[]
  /** How long from now until the first permit may be used, taken or not. */
  readonly opensIn: Millis
  /** Gives back the last `count` permits. They are reused only if nobody took permits after them. */
  giveBack(count: number): void
}

/**
 * Gives permits for requests of a key, at its rate. Callers with waiting requests take a few permits at a time
 * and come back when those are used, so that all callers of a key get an equal share. No method rejects. One
 * conformance suite (test/conformance/rate-limit) runs over both implementations.
 */
export interface PermitSource {
  /**
   * Takes up to `most` permits: those that may be used at once. If there are none, takes the next one and those
   * that follow within `ahead`.
   * @param within a permit that comes later than this is not taken
   */
  take(key: RateKey, rate: Rate, most: number, within: Millis): Promise<Permits>
  /**
   * Lets nothing leave for `delay`, and allows no burst after that. For a system that said it had too many
   * requests.
   */
  hold(key: RateKey, rate: Rate, delay: Millis): Promise<void>
  /** How long the key is held from now. 0: it is not. Permits that were taken before are void meanwhile. */
  heldFor(key: RateKey): Promise<Millis>
  close(): void
}

/** If permits must be waited for, at most those of this much time are taken together. */
export const ahead: Millis = 50
