import { FairQueue } from './fair-queue.ts'

/**
 * Items that wait, grouped by tenant, and then by key (a run). Tenants take turns, and so do the keys of each. So a
 * tenant with many keys gets no more turns than one with a single key.
 */
export class FairGroups<T> {
  /** The first tenant has the next turn. Each has an item that waits. */
  readonly #tenants = new Map<string, FairQueue<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /**
   * Adds an item.
   * @returns a function that removes the item again; it does nothing once the item has left
   */
  push(tenant: string, key: string, item: T): () => void {
    const queue = this.#tenants.get(tenant) ?? new FairQueue<T>()
    this.#tenants.set(tenant, queue)
    const remove = queue.push(key, item)
    this.#size += 1
    return () => {
      const before = queue.size
      remove()
      this.#size -= before - queue.size
      if (queue.size === 0 && this.#tenants.get(tenant) === queue) this.#tenants.delete(tenant)
    }
  }

  /** Yields the waiting items. Do not change the queue while you read it. Take a copy first. */
  *[Symbol.iterator](): Generator<T> {
    for (const queue of this.#tenants.values()) yield* queue
  }

  /** Returns the next item of the tenant whose turn it is. */
  shift(): T | undefined {
    const [next] = this.#tenants
    if (!next) return undefined
    const [tenant, queue] = next
    const item = queue.shift()
    this.#size -= 1
    this.#tenants.delete(tenant)
    if (queue.size > 0) this.#tenants.set(tenant, queue)
    return item
  }
}
