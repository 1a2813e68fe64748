import type { Clock, Millis } from '../domain/index.ts'
import { type BoundedCache, boundedCache } from './bounded-cache.ts'

interface Held<V> {
  readonly value: Promise<V>
  readonly since: Millis
}

/**
 * A cache of values from the store. A value may be up to `age` milliseconds old. Concurrent callers of the
 * same key share one read. A failed read is not kept.
 */
export class TtlCache<V> {
  readonly #clock: Clock
  readonly #age: Millis
  readonly #held: BoundedCache<string, Held<V>>

  constructor(clock: Clock, age: Millis, capacity: number) {
    this.#clock = clock
    this.#age = age
    this.#held = boundedCache(capacity)
  }

  get(key: string, read: () => Promise<V>): Promise<V> {
    const now = this.#clock.now()
    const held = this.#held.get(key)
    if (held && this.#isFresh(held, now)) return held.value
    const value = read()
    this.#held.set(key, { value, since: now })
    value.catch(() => {
      if (this.#held.peek(key)?.value === value) this.#held.delete(key)
    })
    return value
  }

  /** Returns the value of a key if it is cached and not too old. Otherwise undefined. */
  async peek(key: string): Promise<V | undefined> {
    const held = this.#held.get(key)
    return held && this.#isFresh(held, this.#clock.now()) ? held.value.catch(() => undefined) : undefined
  }

  /** If the clock was set back, nobody knows how old a value is, so it is read again. */
  #isFresh({ since }: Held<V>, now: Millis): boolean {
    return since <= now && now - since < this.#age
  }

  forget(key: string): void {
    this.#held.delete(key)
  }

  clear(): void {
    this.#held.clear()
  }
}
