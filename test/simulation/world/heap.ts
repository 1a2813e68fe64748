/** A heap with the smallest item first. */
export class Heap<T> {
  readonly #before: (a: T, b: T) => boolean
  #items: T[] = []

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before
  }

  get first(): T | undefined {
    return this.#items[0]
  }

  get all(): readonly T[] {
    return this.#items
  }

  push(item: T): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#before(item, items[parent] as T)) break
      items[at] = items[parent] as T
      at = parent
    }
    items[at] = item
  }

  pop(): T | undefined {
    const items = this.#items
    const [first] = items
    const last = items.pop()
    if (items.length === 0 || last === undefined) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && this.#before(items[child + 1] as T, items[child] as T)) child += 1
      if (!this.#before(items[child] as T, last)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = last
    return first
  }

  /** Restores the order after items were changed. Drops items for which `keep` returns false. */
  renew(keep: (item: T) => boolean): void {
    const items = this.#items.filter(keep)
    this.#items = []
    for (const item of items) this.push(item)
  }
}
