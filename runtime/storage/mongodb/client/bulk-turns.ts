import type { Clock } from '../../../domain/index.ts'
import { LaneLoads } from '../../../fairness/index.ts'
import { answeredWithin, longestBulk } from './time-limit.ts'

/** A bulk that waits for its turn. */
export interface WaitingBulk {
  /** How many items it has by now. */
  readonly size: () => number
  /** Whether it has an item of a light lane beside a heavy one. */
  readonly isAhead: () => boolean
  /** It must not reject, and must not wait for another bulk of these turns. */
  readonly run: () => Promise<void>
}

interface Waiting extends WaitingBulk {
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
/** So many bulks of heavy lanes are under way at most while a light lane is here. Then they are fuller, and the server has fewer commands. */
const mostBesideLight = 1

/**
 * Decides which bulk is next. A command costs the server and this process more than the items in it. So only a few
 * bulks are under way at once, more calls join a bulk while it waits, and the bulk with the most items goes first. Then
 * concurrent runs come to wait for the same bulk, and go on together.
 *
 * A bulk with an item of a light lane beside a heavy one is next, and begins beside as many others as if there were few items.
 */
export class BulkTurns {
  /** The calls of each lane that wait or are under way. */
  readonly lanes: LaneLoads
  readonly #limits: BulkLimits
  readonly #clock: Pick<Clock, 'after'>
  readonly #waiting: Waiting[] = []
  #underWay = 0
  #itemsUnderWay = 0
  #choosing = false

  /** @param lanes absent: no other turns count the same calls */
  constructor(limits: BulkLimits, clock: Pick<Clock, 'after'>, lanes = new LaneLoads()) {
    this.lanes = lanes
    this.#limits = limits
    this.#clock = clock
  }

  /** Runs a bulk when it is its turn. */
  enter(bulk: WaitingBulk): void {
    this.#waiting.push({ ...bulk, passedOver: 0 })
    this.look()
  }

  /** Returns what a bulk returns. Fails if it takes too long, so that no other waits for it for ever. @throws TocsinError `store_unavailable` */
  inTime<T>(call: Promise<T>): Promise<T> {
    return answeredWithin(this.#clock, longestBulk, call)
  }

  /** Looks for the next bulk. Call when a bulk that waits has got an item of a light lane beside a heavy one. */
  look(): void {
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
    const late = this.#waiting.findIndex(({ passedOver }) => passedOver >= mostPassedOver)
    const { isBesideLight } = this.lanes
    const ahead = late < 0 && isBesideLight ? this.#waiting.findIndex(({ isAhead }) => isAhead()) : -1
    const isQuiet = items <= mostQuiet
    const usual = isQuiet || ahead >= 0 ? quiet : busy
    if (this.#underWay >= (isBesideLight && ahead < 0 ? Math.min(usual, mostBesideLight) : usual)) return null
    const largest = Math.max(...sizes)
    const joins = isQuiet || late >= 0 || ahead >= 0 || largest * busy >= items
    if (this.#underWay > 0 && !joins) return null
    const index = [late, ahead, sizes.indexOf(largest)].find((found) => found >= 0) ?? 0
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
      this.look()
    })
  }
}
