import { currentLane } from '../../../fairness/index.ts'
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
  readonly lane: string | null
  /** For how many calls of its lane it counts. */
  readonly load: number
  readonly bytes: number
  readonly resolve: (result: Promise<Result>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines many calls into one. Calls that arrive while a bulk is under way share the next bulk, in order.
 * `perform` returns one outcome for each item. If it throws or takes too long, all items of the bulk fail. It must not wait for
 * a call that shares its turns.
 * @param turns decides which bulk is next, among all that share it; while a bulk waits for its turn, more calls
 * join it
 * @param most the most items of a bulk
 * @param bytesOf about how large an item is. Then a bulk ends with the item that makes it large, so that small items
 * do not wait for many large ones, and no command is larger than MongoDB allows. Absent: all items are small
 * @param loadOf for how many calls of its lane an item counts. Absent: for one
 */
export function inBulks<Item, Result>(
  turns: BulkTurns,
  most: number,
  perform: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  bytesOf: (item: Item) => number = () => 0,
  loadOf: (item: Item) => number = () => 1,
): (item: Item) => Promise<Result> {
  const { lanes } = turns
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
      const outcomes = await turns.inTime(perform(bulk.map(({ item }) => item)))
      for (const [index, { resolve }] of bulk.entries()) {
        const outcome = outcomes[index]
        resolve(Promise.resolve().then(() => (outcome ? outcome() : Promise.reject(new Error('A bulk returned no outcome for an item.')))))
      }
    } catch (error) {
      for (const { reject } of bulk) reject(error)
    }
    for (const { lane, load } of bulk) lanes.add(lane, -load)
    busy = false
    start()
  }
  const start = (): void => {
    if (busy || waiting.length === 0) return
    busy = true
    turns.enter({
      size: () => Math.min(waiting.length, most),
      isAhead: () => waiting.slice(0, most).some(({ lane }) => lanes.isLightBesideHeavy(lane)),
      run,
    })
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      // Measured here, so that an item that cannot be measured fails alone.
      const bytes = bytesOf(item)
      const [lane, load] = [currentLane(), loadOf(item)]
      waiting.push({ item, lane, load, bytes, resolve, reject })
      lanes.add(lane, load)
      start()
      if (lanes.isLightBesideHeavy(lane)) turns.look()
    })
}
