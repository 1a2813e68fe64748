/** What became of one item, asked for when its caller is answered: the value, a throw, or work that goes on for this item alone. */
export type Outcome<Result> = () => Result | Promise<Result>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Promise<Result>) => void
  readonly reject: (error: unknown) => void
}

/**
 * How many bulks may be under way at once, over all that share the gate. While a bulk waits at the gate more calls join it: fewer
 * and larger bulks, which is what a database that commits in groups likes best.
 */
export class Gate {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(bulks: number) {
    this.#free = bulks
  }

  /** Calls `start` when a bulk may begin, at once if one may. In the order of asking. */
  enter(start: () => void): void {
    if (this.#free === 0) {
      this.#waiting.push(start)
      return
    }
    this.#free -= 1
    start()
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

/**
 * Makes one call of many: those that arrive while a bulk is under way go together in the next, in order. `perform` answers with one
 * outcome an item; when it throws, the whole bulk fails. It must not wait for a call that goes through the same gate.
 * @param most items of a bulk
 */
export function coalesce<Item, Result>(
  gate: Gate,
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
    gate.leave()
    start()
  }
  const start = (): void => {
    if (busy || waiting.length === 0) return
    busy = true
    // One turn of the event loop lets every caller that was answered just now say what it wants next.
    setImmediate(() => gate.enter(() => void run()))
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      start()
    })
}
