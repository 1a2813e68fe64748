import { Fifo } from './fifo.ts'

interface Entry<T> {
  readonly item: T
  removed: boolean
}

interface Lane<T> {
  readonly key: string
  entries: Fifo<Entry<T>>
}

/** Removed items stay in their lanes until there are this many more of them than of waiting items. */
const mostRemoved = 1_024

/**
 * Items that wait, grouped by key (an organization, a run). Keys take turns, so a flood under one key does
 * not delay the others. Items of one key leave in the order in which they came.
 */
export class FairQueue<T> {
  readonly #lanes = new Map<string, Lane<T>>()
  /** Every lane, once. The first has the next turn. */
  readonly #ring = new Fifo<Lane<T>>()
  #size = 0
  #removed = 0

  get size(): number {
    return this.#size
  }

  /**
   * Adds an item.
   * @returns a function that removes the item again; it does nothing once the item has left
   */
  push(key: string, item: T): () => void {
    const entry: Entry<T> = { item, removed: false }
    this.#lane(key).entries.push(entry)
    this.#size += 1
    return () => this.#remove(entry)
  }

  /** Yields the waiting items, key by key. Do not change the queue while you read it. Take a copy first. */
  *[Symbol.iterator](): Generator<T> {
    for (const { entries } of this.#ring) for (const { item, removed } of entries) if (!removed) yield item
  }

  /**
   * Returns the next item of the key whose turn it is.
   * @param may says whether a key may have a turn now; a key that may not keeps its items and is asked again
   * next time
   */
  shift(may: (key: string) => boolean = () => true): T | undefined {
    for (let asked = this.#ring.size; asked > 0; asked -= 1) {
      const lane = this.#ring.shift()
      if (!lane) return undefined
      if (!may(lane.key)) {
        this.#ring.push(lane)
        continue
      }
      const entry = this.#next(lane)
      if (lane.entries.size > 0) this.#ring.push(lane)
      else this.#lanes.delete(lane.key)
      if (!entry) continue
      entry.removed = true
      this.#size -= 1
      return entry.item
    }
    return undefined
  }

  /**
   * Removes and returns the first item that may have a turn now, key by key. The turns stay as they are: all other
   * items and keys keep their places.
   * @param may asked for each key; a key that may not is passed over with all its items
   * @param mayItem asked for the items of the other keys
   */
  pick(may: (key: string) => boolean, mayItem: (item: T) => boolean): T | undefined {
    for (const lane of this.#ring) {
      if (!may(lane.key)) continue
      for (const entry of lane.entries) {
        if (entry.removed || !mayItem(entry.item)) continue
        this.#remove(entry)
        return entry.item
      }
    }
    return undefined
  }

  #remove(entry: Entry<T>): void {
    if (entry.removed) return
    entry.removed = true
    this.#size -= 1
    this.#removed += 1
    if (this.#removed > this.#size + mostRemoved) this.#compact()
  }

  #lane(key: string): Lane<T> {
    let lane = this.#lanes.get(key)
    if (!lane) {
      lane = { key, entries: new Fifo() }
      this.#lanes.set(key, lane)
      this.#ring.push(lane)
    }
    return lane
  }

  #next({ entries }: Lane<T>): Entry<T> | undefined {
    for (let entry = entries.shift(); entry; entry = entries.shift()) {
      if (!entry.removed) return entry
      this.#removed -= 1
    }
    return undefined
  }

  /** Drops removed items. Otherwise a queue from which nothing leaves would grow forever. */
  #compact(): void {
    for (let left = this.#ring.size; left > 0; left -= 1) {
      const lane = this.#ring.shift()
      if (!lane) continue
      const entries = [...lane.entries].filter(({ removed }) => !removed)
      lane.entries = new Fifo()
      for (const entry of entries) lane.entries.push(entry)
      if (entries.length > 0) this.#ring.push(lane)
      else this.#lanes.delete(lane.key)
    }
    this.#removed = 0
  }
}
