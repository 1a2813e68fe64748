import type { Store } from '../../../runtime/storage/index.ts'
import { Crash } from './harness.ts'

/**
 * The moment at which a process dies: after a number of operations on the outside world. Later operations
 * have no effect.
 */
export class Death {
  #left: number
  /** Whether the operation during which it dies still takes effect. */
  readonly #lastHappens: boolean

  constructor(after: number, lastHappens: boolean) {
    this.#left = after
    this.#lastHappens = lastHappens
  }

  /**
   * Does something, unless the process is dead.
   * @throws Crash
   */
  async attempt<T>(act: () => T | Promise<T>): Promise<T> {
    this.#left -= 1
    if (this.#left > 0) return act()
    if (this.#left === 0 && this.#lastHappens) await act()
    throw new Crash()
  }
}

/** Returns the store as seen by a process that dies at that moment. */
export function mortal(store: Store, death: Death): Store {
  const wrap = <T extends object>(aggregate: T): T =>
    new Proxy(aggregate, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown
        if (typeof method !== 'function') return method
        return (...parameters: unknown[]) => death.attempt(() => Reflect.apply(method, target, parameters) as unknown)
      },
    })
  return new Proxy(store, {
    get(target, name) {
      const aggregate = Reflect.get(target, name) as unknown
      return typeof aggregate === 'object' && aggregate !== null ? wrap(aggregate) : aggregate
    },
  })
}
