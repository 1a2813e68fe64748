/** Items before the head are let go of once they are this many and at least half of the array: so each is moved at most once. */
const compactFrom = 1_024

/** First in, first out; both ends in constant time (amortised). */
export class Fifo<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Undefined when empty. */
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

  /** First to last. */
  *[Symbol.iterator](): Generator<T> {
    for (let at = this.#head; at < this.#items.length; at += 1) yield this.#items[at] as T
  }

  clear(): void {
    this.#items = []
    this.#head = 0
  }
}
