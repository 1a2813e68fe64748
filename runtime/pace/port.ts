import type { Millis } from '../domain/index.ts'

/** Whose requests count together: those of one key of an external system. */
export type PaceKey = string

/** `requests` in `interval`, evenly spaced, and up to `burst` at once after a quiet time. */
export interface Rate {
  readonly requests: number
  readonly interval: Millis
  readonly burst: number
}

/** Turns of a key that were taken: each lets one request leave. */
export interface Turns {
  /** How long from now until each may be used, rising; 0: at once. Empty: none comes within the time that was asked for. */
  readonly delays: readonly Millis[]
  /** How long from now until the first may be used, taken or not. */
  readonly opensIn: Millis
  /** The last `count` of them will not be used. They are given to others only if nobody took turns after them. */
  giveBack(count: number): void
}

/**
 * Says when requests of a key may leave, at its rate. Whoever has requests waiting takes turns a few at a time and comes back when
 * they are used, so that all that share a key get an equal part of it. No method rejects. One conformance suite
 * (test/conformance/pace) runs over both implementations.
 */
export interface Pace {
  /**
   * Takes up to `most` turns: those that may be used at once; or, when there is none, the next one, with those that follow within
   * `ahead`.
   * @param within a turn that comes later than this is not taken
   */
  take(key: PaceKey, rate: Rate, most: number, within: Millis): Promise<Turns>
  /** Lets nothing leave for so long, and after that no burst: the system has said that it had too much. */
  hold(key: PaceKey, rate: Rate, delay: Millis): Promise<void>
  /** How long the key is held from now; 0: it is not. What was taken before is void while it is. */
  heldFor(key: PaceKey): Promise<Millis>
  close(): void
}

/** So much time's turns are taken together at most, when they must be waited for. */
export const ahead: Millis = 50
