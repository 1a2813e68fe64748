import { boundedCache } from '../../caches/index.ts'
import type { Clock, Millis } from '../../domain/index.ts'

/** Allows `burst` events at once, then one more per `every`. */
interface Allowance {
  readonly burst: number
  readonly every: Millis
}

/** The most keys to remember. Beyond that, those that were quiet for longest are forgotten. */
const mostKeys = 10_000

/** Counts events by key, such as an address, and says which keys have had too many. */
export class Pace {
  readonly #clock: Pick<Clock, 'now'>
  readonly #allowance: Allowance
  readonly #buckets = boundedCache<string, { left: number; at: Millis }>(mostKeys)

  constructor(clock: Pick<Clock, 'now'>, allowance: Allowance) {
    this.#clock = clock
    this.#allowance = allowance
  }

  /** Returns whether there may be one more event. */
  allows(key: string): boolean {
    return this.#fill(key).left >= 1
  }

  /** Counts an event. Returns whether it was allowed. */
  take(key: string): boolean {
    const bucket = this.#fill(key)
    if (bucket.left < 1) return false
    bucket.left -= 1
    return true
  }

  #fill(key: string): { left: number; at: Millis } {
    const { burst, every } = this.#allowance
    const now = this.#clock.now()
    const bucket = this.#buckets.get(key) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + Math.max(0, now - bucket.at) / every)
    bucket.at = now
    this.#buckets.set(key, bucket)
    return bucket
  }
}
