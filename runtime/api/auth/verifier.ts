import { boundedCache } from '../../caches/index.ts'
import {
  type ApiKey,
  type Clock,
  isValid,
  type KeyId,
  keyUseSpacing,
  type Millis,
  type Principal,
  type Scope,
  scopeOf,
  systemScope,
} from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { hashKey } from './key.ts'

/** The sender of a request. */
export interface Caller {
  readonly principal: Principal
  readonly scope: Scope
  readonly key: KeyId
}

/** Whom a key admitted when it last worked, and when that was. */
interface Right {
  readonly caller: Caller
  readonly expiresAt: Millis | null
  readonly since: Millis
}

interface Known {
  readonly caller: Caller
  readonly key: ApiKey
  readonly since: Millis
}

/** How long a key may still work in this process after another process has revoked it. */
export const keyCacheTtl: Millis = 2_000
const maxKnown = 10_000
/** How long to remember that a key worked. It admits a caller only to what is read without the store. */
const rightFor: Millis = 3_600_000
/** A longer value cannot be a key, so it is not even hashed. */
const maxKeyLength = 512

/**
 * Finds the principal of a key. Remembers the result for a short while under the key's hash (never its value), so that most requests do
 * not query the store. Concurrent requests with the same key share one query.
 */
export class KeyVerifier {
  readonly #known = boundedCache<string, Known>(maxKnown)
  /** The keys that have worked, by their hash. */
  readonly #right = boundedCache<string, Right>(maxKnown)
  readonly #asked = new Map<string, Promise<Caller | null>>()
  readonly #store: Pick<Store, 'principals'>
  readonly #clock: Pick<Clock, 'now'>
  /** Rises with each revocation in this process. Query results from before a revocation are not remembered. */
  #generation = 0

  constructor(store: Pick<Store, 'principals'>, clock: Pick<Clock, 'now'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Returns the caller if the key was verified a moment ago. Null does not mean that the key is invalid. */
  known(value: string): Caller | null {
    return value.length > maxKeyLength ? null : this.#fresh(hashKey(value))
  }

  /**
   * Returns the caller whose key worked within the last hour, and has not expired. Only `verify` says whether it still works: another process
   * may have revoked it.
   */
  lately(value: string): Caller | null {
    const right = value.length > maxKeyLength ? undefined : this.#right.get(hashKey(value))
    if (right === undefined) return null
    const now = this.#clock.now()
    return now - right.since < rightFor && (right.expiresAt === null || now < right.expiresAt) ? right.caller : null
  }

  /** Returns the caller, or null if the key is not valid. Returns no promise if the caller is known. */
  verify(value: string): Caller | null | Promise<Caller | null> {
    if (value.length > maxKeyLength) return null
    const hash = hashKey(value)
    const known = this.#fresh(hash)
    if (known !== null) return known
    const asked = this.#asked.get(hash)
    if (asked !== undefined) return asked
    const answer = this.#ask(hash).finally(() => {
      if (this.#asked.get(hash) === answer) this.#asked.delete(hash)
    })
    this.#asked.set(hash, answer)
    return answer
  }

  /** Forgets a revoked key at once, even while it is being looked up. */
  forget(key: KeyId): void {
    this.#generation++
    this.#asked.clear()
    for (const [hash, known] of this.#known) if (known.key.id === key) this.#known.delete(hash)
    for (const [hash, { caller }] of this.#right) if (caller.key === key) this.#right.delete(hash)
  }

  #fresh(hash: string): Caller | null {
    const known = this.#known.get(hash)
    if (known === undefined) return null
    const now = this.#clock.now()
    const age = now - known.since
    if (age >= 0 && age < keyCacheTtl && isValid(known.key, now)) return known.caller
    this.#known.delete(hash)
    return null
  }

  async #ask(hash: string): Promise<Caller | null> {
    const generation = this.#generation
    const since = this.#clock.now()
    const found = await this.#store.principals.keyByHash(systemScope, hash)
    if (found === null || !isValid(found.key, since)) {
      this.#right.delete(hash)
      return null
    }
    const caller: Caller = { principal: found.principal, scope: scopeOf(found.principal), key: found.key.id }
    if (generation === this.#generation) {
      this.#right.set(hash, { caller, expiresAt: found.key.expiresAt, since })
      this.#known.set(hash, { caller, key: found.key, since })
    }
    this.#noteUse(found.key, since)
    return caller
  }

  /** Does not wait: whoever calls needs an answer now. If the store fails, a later use is noted instead. */
  #noteUse({ id, lastUsedAt }: ApiKey, now: Millis): void {
    if (lastUsedAt !== null && now - lastUsedAt < keyUseSpacing) return
    this.#store.principals.noteKeyUse(systemScope, id, now).catch(() => undefined)
  }
}
