import { TocsinError } from '../../../errors/index.ts'

/** The most streams at once in a process. */
const most = { principal: 30, owner: 300, all: 2_000 }

/** Counts the open streams. Nobody can use all of them up. */
export class Seats {
  readonly #taken = new Map<string, number>()

  /**
   * Takes a seat.
   * @param owner the owner of the key (`ownerOf`)
   * @returns a function that gives it back
   * @throws TocsinError `feed_full`
   */
  take(principal: string, owner: string): () => void {
    const keys = [
      { key: `principal ${principal}`, limit: most.principal },
      { key: `owner ${owner}`, limit: most.owner },
      { key: 'all', limit: most.all },
    ]
    for (const { key, limit } of keys)
      if ((this.#taken.get(key) ?? 0) >= limit)
        throw new TocsinError('feed_full', key === 'all' ? `${limit} streams are open in this process.` : `Your keys have ${limit} open streams.`)
    for (const { key } of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1)
    return () => {
      for (const { key } of keys) {
        const left = (this.#taken.get(key) ?? 1) - 1
        if (left > 0) this.#taken.set(key, left)
        else this.#taken.delete(key)
      }
    }
  }
}
