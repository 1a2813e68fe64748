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

interface Known {
  readonly caller: Caller
  readonly key: ApiKey
  readonly since: Millis
}

/** How long a key may still work in this process after another process has revoked it. */
export const keyCacheTtl: Millis = 2_000
const maxKnown = 10_000
/** How long to remember that a key worked. Remembering it does not admit a caller. */
const rightFor: Millis = 3_600_000
/** A longer value cannot be a key, so it is not even hashed. */
const maxKeyLength = 512

/**
 * Finds the principal of a key. Remembers the result for a short while under the key's hash (never its value), so that most requests do
 * not query the store. Concurrent requests with the same key share one query.
 */
export class KeyVerifier {
  readonly #known = boundedCache<string, Known>(maxKnown)
  /** When a key last worked, by its hash. */
  readonly #right = boundedCache<string, Millis>(maxKnown)
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

  /** Returns whether the key worked within the last hour. Only `verify` says whether it still works. */
  wasRight(value: string): boolean {
    if (value.length > maxKeyLength) return false
    const since = this.#right.get(hashKey(value))
    return since !== undefined && this.#clock.now() - since < rightFor
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
    for (const [hash, known] of this.#known) {
      if (known.key.id !== key) continue
      this.#known.delete(hash)
      this.#right.delete(hash)
    }
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
    this.#right.set(hash, since)
    const caller: Caller = { principal: found.principal, scope: scopeOf(found.principal), key: found.key.id }
    if (generation === this.#generation) this.#known.set(hash, { caller, key: found.key, since })
    this.#noteUse(found.key, since)
    return caller
  }

  /** Does not wait: whoever calls needs an answer now. If the store fails, a later use is noted instead. */
  #noteUse({ id, lastUsedAt }: ApiKey, now: Millis): void {
    if (lastUsedAt !== null && now - lastUsedAt < keyUseSpacing) return
    this.#store.principals.noteKeyUse(systemScope, id, now).catch(() => undefined)
  }
}
