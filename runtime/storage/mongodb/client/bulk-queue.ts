import type { LimitFunction } from 'p-limit'

/** What became of one item, asked for when its caller is answered: the value, a throw, or work that goes on for this item alone. */
export type Outcome<Result> = () => Result | Promise<Result>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Promise<Result>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes one call of many: those that arrive while a bulk is under way go together in the next, in order. `perform` answers with one
 * outcome an item; when it throws, the whole bulk fails. It must not wait for a call that shares its limit.
 * @param limit how many bulks may be under way at once, over all that share it. While a bulk waits for it, more calls join the bulk: fewer and
 * larger bulks are what a database that commits in groups likes best.
 * @param most items of a bulk
 */
export function inBulks<Item, Result>(
  limit: LimitFunction,
  most: number,
  perform: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let busy = false

  const run = async (): Promise<void> => {
    const bulk = waiting.splice(0, most)
    try {
      const outcomes = await perform(bulk.map(({ item }) => item))
      for (const [index, { resolve }] of bulk.entries()) {
        const outcome = outcomes[index]
        resolve(Promise.resolve().then(() => (outcome ? outcome() : Promise.reject(new Error('A bulk left an item without an outcome.')))))
      }
    } catch (error) {
      for (const { reject } of bulk) reject(error)
    }
    busy = false
    start()
  }
  const start = (): void => {
    if (busy || waiting.length === 0) return
    busy = true
    // One turn of the event loop lets every caller that was answered just now say what it wants next.
    setImmediate(() => void limit(run))
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      start()
    })
}
