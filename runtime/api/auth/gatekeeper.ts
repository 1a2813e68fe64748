import type { Clock, Millis } from '../../domain/index.ts'
import { hashKey } from './key.ts'
import type { Caller, KeyVerifier } from './verifier.ts'
import type { WrongKeys } from './wrong-keys.ts'

/** How long `admitWithoutStore` waits for the store. Prometheus waits ten seconds for its answer, and the figures of the store may take five. */
const patience: Millis = 2_000

/** Admits callers with a valid key, and slows down those who guess keys. */
export class Gatekeeper {
  readonly #keys: KeyVerifier
  readonly #wrong: WrongKeys
  readonly #clock: Pick<Clock, 'after'>
  /** Checks under way of keys that are not known to work, by address and hash of the key. */
  readonly #checks = new Map<string, Promise<Caller | null>>()

  constructor(keys: KeyVerifier, wrong: WrongKeys, clock: Pick<Clock, 'after'>) {
    this.#keys = keys
    this.#wrong = wrong
    this.#clock = clock
  }

  /**
   * Returns the caller, or null if the key is not valid. Returns no promise if the key is known.
   * @param address the client address of the request
   * @throws TocsinError `key_attempts_exceeded`, `store_unavailable`
   */
  admit(value: string, address: string): Caller | null | Promise<Caller | null> {
    return this.#keys.known(value) ?? this.#look(value, address)
  }

  /**
   * As `admit`. But while the store fails or does not answer, a key that worked within the last hour still admits its caller, with the
   * permissions that it had then.
   */
  async admitWithoutStore(value: string, address: string): Promise<Caller | null> {
    const late = this.#keys.lately(value)
    if (late === null) return this.admit(value, address)
    const { promise: silent, resolve } = Promise.withResolvers<Caller>()
    const cancel = this.#clock.after(patience, () => resolve(late))
    try {
      return await Promise.race([this.admit(value, address), silent])
    } catch {
      // The key worked lately, so nothing but the store can have failed.
      return late
    } finally {
      cancel()
    }
  }

  #look(value: string, address: string): Promise<Caller | null> {
    if (this.#keys.lately(value) !== null) return Promise.resolve(this.#keys.verify(value))
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
