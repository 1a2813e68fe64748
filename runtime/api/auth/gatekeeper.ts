import { hashKey } from './key.ts'
import type { Caller, KeyVerifier } from './verifier.ts'
import type { WrongKeys } from './wrong-keys.ts'

/** Admits callers with a valid key, and slows down those who guess keys. */
export class Gatekeeper {
  readonly #keys: KeyVerifier
  readonly #wrong: WrongKeys
  /** Checks under way of keys that are not known to work, by address and hash of the key. */
  readonly #checks = new Map<string, Promise<Caller | null>>()

  constructor(keys: KeyVerifier, wrong: WrongKeys) {
    this.#keys = keys
    this.#wrong = wrong
  }

  /**
   * Returns the caller, or null if the key is not valid. Returns no promise if the key is known.
   * @param address the client address of the request
   * @throws TocsinError `key_attempts_exceeded`, `store_unavailable`
   */
  admit(value: string, address: string): Caller | null | Promise<Caller | null> {
    return this.#keys.known(value) ?? this.#look(value, address)
  }

  #look(value: string, address: string): Promise<Caller | null> {
    if (this.#keys.wasRight(value)) return Promise.resolve(this.#keys.verify(value))
    // Many requests with one key are one attempt. Otherwise the first requests of a busy source would be refused after a restart.
    const name = `${address} ${hashKey(value)}`
    const underWay = this.#checks.get(name)
    if (underWay) return underWay
    const check = this.#check(value, address).finally(() => this.#checks.delete(name))
    this.#checks.set(name, check)
    return check
  }

  async #check(value: string, address: string): Promise<Caller | null> {
    const attempt = this.#wrong.begin(address)
    let caller: Caller | null
    try {
      caller = await this.#keys.verify(value)
    } catch (error) {
      attempt.right()
      throw error
    }
    if (caller === null) await this.#wrong.hold(attempt.wrong())
    else attempt.right()
    return caller
  }
}
