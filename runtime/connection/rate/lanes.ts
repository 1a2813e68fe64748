/** Those that wait, in lanes which take turns: a lane with many delays another by one at a time. */
export class Lanes<T> {
  /** In the order of their turns. */
  readonly #lanes = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(lane: string, one: T): void {
    const queue = this.#lanes.get(lane)
    if (queue) queue.push(one)
    else this.#lanes.set(lane, [one])
    this.#size += 1
  }

  /** Takes out the one whose turn it is. */
  next(): T | undefined {
    const [first] = this.#lanes
    if (!first) return undefined
    const [lane, queue] = first
    const one = queue.shift()
    // To the end of the turns, or out of them.
    this.#lanes.delete(lane)
    if (queue.length > 0) this.#lanes.set(lane, queue)
    this.#size -= 1
    return one
  }

  remove(lane: string, one: T): void {
    const queue = this.#lanes.get(lane) ?? []
    const rest = queue.filter((other) => other !== one)
    this.#size -= queue.length - rest.length
    if (rest.length > 0) this.#lanes.set(lane, rest)
    else this.#lanes.delete(lane)
  }

  /** All that wait now; they may be removed meanwhile. */
  all(): T[] {
    return [...this.#lanes.values()].flat()
  }
}
