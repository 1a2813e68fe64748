/** A bulk that waits for its turn. */
interface Waiting {
  /** How many items it has by now. */
  readonly size: () => number
  readonly run: () => Promise<void>
  /** How many bulks that came later went first. */
  passedOver: number
}

/** How many bulks may be under way at once. */
export interface BulkLimits {
  /**
   * While many items wait or are under way. The first may have any size. Another one joins only with its share of all
   * items: a third if this is 3.
   */
  readonly busy: number
  /** While there are few, so that sharing a command would save little. At least `busy`. */
  readonly quiet: number
}

/** More items than this, waiting and under way, are many. */
const mostQuiet = 8
/** After so many others, a bulk is next, whatever its size. */
const mostPassedOver = 8

/**
 * Decides which bulk is next. A command costs the server and this process more than the items in it. So only a few
 * bulks are under way at once, more calls join a bulk while it waits, and the bulk with the most items goes first. Then
 * concurrent runs come to wait for the same bulk, and go on together.
 */
export class BulkTurns {
  readonly #limits: BulkLimits
  readonly #waiting: Waiting[] = []
  #underWay = 0
  #itemsUnderWay = 0
  #choosing = false

  constructor(limits: BulkLimits) {
    this.#limits = limits
  }

  /** Runs a bulk when it is its turn. `run` must not reject, and must not wait for another bulk of these turns. */
  enter(size: () => number, run: () => Promise<void>): void {
    this.#waiting.push({ size, run, passedOver: 0 })
    this.#choose()
  }

  #choose(): void {
    if (this.#choosing || this.#waiting.length === 0) return
    this.#choosing = true
    // Wait one turn of the event loop, so that every caller that was just answered can make its next call.
    setImmediate(() => {
      this.#choosing = false
      for (let next = this.#next(); next; next = this.#next()) this.#begin(next)
    })
  }

  #next(): Waiting | null {
    const { busy, quiet } = this.#limits
    const sizes = this.#waiting.map(({ size }) => size())
    const items = sizes.reduce((sum, size) => sum + size, this.#itemsUnderWay)
    const isQuiet = items <= mostQuiet
    if (this.#underWay >= (isQuiet ? quiet : busy)) return null
    const late = this.#waiting.findIndex(({ passedOver }) => passedOver >= mostPassedOver)
    const largest = Math.max(...sizes)
    const joins = isQuiet || late >= 0 || largest * busy >= items
    if (this.#underWay > 0 && !joins) return null
    const index = late >= 0 ? late : sizes.indexOf(largest)
    for (const earlier of this.#waiting.slice(0, index)) earlier.passedOver += 1
    return this.#waiting.splice(index, 1)[0] ?? null
  }

  #begin({ size, run }: Waiting): void {
    const items = size()
    this.#underWay += 1
    this.#itemsUnderWay += items
    void run().finally(() => {
      this.#underWay -= 1
      this.#itemsUnderWay -= items
      this.#choose()
    })
  }
}
