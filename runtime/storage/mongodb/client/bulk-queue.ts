import type { BulkTurns } from './bulk-turns.ts'

/**
 * The outcome of one item. It is called when the caller is answered: it returns the value, throws, or
 * continues with work for this item alone.
 */
export type Outcome<Result> = () => Result | Promise<Result>

/** A bulk with so many bytes takes no more items. */
const largeBulk = 1024 * 1024

interface Waiting<Item, Result> {
  readonly item: Item
  readonly bytes: number
  readonly resolve: (result: Promise<Result>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines many calls into one. Calls that arrive while a bulk is under way share the next bulk, in order.
 * `perform` returns one outcome for each item. If it throws, all items of the bulk fail. It must not wait for
 * a call that shares its turns.
 * @param turns decides which bulk is next, among all that share it; while a bulk waits for its turn, more calls
 * join it
 * @param most the most items of a bulk
 * @param bytesOf about how large an item is. Then a bulk ends with the item that makes it large, so that small items
 * do not wait for many large ones, and no command is larger than MongoDB allows. Absent: all items are small
 */
export function inBulks<Item, Result>(
  turns: BulkTurns,
  most: number,
  perform: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  bytesOf: (item: Item) => number = () => 0,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let busy = false

  /** How many items the next bulk has. */
  const count = (): number => {
    let total = 0
    const last = waiting.slice(0, most).findIndex(({ bytes }) => {
      total += bytes
      return total >= largeBulk
    })
    return last < 0 ? Math.min(waiting.length, most) : last + 1
  }
  const run = async (): Promise<void> => {
    const bulk = waiting.splice(0, count())
    try {
      const outcomes = await perform(bulk.map(({ item }) => item))
      for (const [index, { resolve }] of bulk.entries()) {
        const outcome = outcomes[index]
        resolve(Promise.resolve().then(() => (outcome ? outcome() : Promise.reject(new Error('A bulk returned no outcome for an item.')))))
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
    turns.enter(() => Math.min(waiting.length, most), run)
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      // Measured here, so that an item that cannot be measured fails alone.
      waiting.push({ item, bytes: bytesOf(item), resolve, reject })
      start()
    })
}
