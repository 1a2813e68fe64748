/**
 * Items before the head are dropped once they are this many and at least half of the array. So each item is
 * moved at most once.
 */
const compactFrom = 1_024

/** A first-in, first-out queue. Both ends take constant time (amortised). */
export class Fifo<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Removes and returns the first item. Undefined if the queue is empty. */
  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head++] = undefined
    if (this.#head === this.#items.length) this.clear()
    else if (this.#head >= compactFrom && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  /** Yields the items, first to last. */
  *[Symbol.iterator](): Generator<T> {
    for (let at = this.#head; at < this.#items.length; at += 1) yield this.#items[at] as T
  }

  clear(): void {
    this.#items = []
    this.#head = 0
  }
}
