import { FairQueue } from '../../../fairness/index.ts'

/** The most calls of a batch. */
const callsInBatch = 1_000
/** A lane with more calls than this is heavy. A run that is alone in its lane has fewer, unless it does many things at once. */
const callsOfLight = 8
/** How many calls of a heavy lane a batch has while light lanes are here. They take a third of the time that a commit takes. */
const callsBesideLight = 6
/** A call's place in the queue. */
export interface InLane {
  /** Null: the call is for no lane. It is never held back. */
  readonly lane: string | null
}

/**
 * The calls that wait for a thread of the store. Lanes (an organization's runs of one type) take turns. All calls
 * that wait share the next batch, except beside light lanes: then each heavy lane gets only a few calls of a batch.
 * So batches are short while a run of another lane waits for them.
 */
export class CallQueue<T extends InLane> {
  readonly #waiting = new FairQueue<T>()
  /** How many calls of each lane wait or were in the last batch. */
  readonly #calls = new Map<string, number>()
  /** How many lanes are heavy. */
  #heavy = 0
  #lightWaits = false
  /** How many calls of each lane were in the last batch. They count, so that a run between two calls counts too. */
  #last: ReadonlyMap<string, number> = new Map()

  get size(): number {
    return this.#waiting.size
  }

  /** Whether light lanes are here beside heavy ones. Then batches are short, and must not wait. */
  get isBesideLight(): boolean {
    return this.#heavy > 0 && this.#heavy < this.#calls.size
  }

  /** Whether the lane is light, and another one is heavy. */
  isLightBesideHeavy(lane: string | null): boolean {
    return lane !== null && this.#heavy > 0 && !this.#isHeavy(lane)
  }

  /** Whether a call waits that was in a light lane beside heavy ones when it came. */
  get lightWaits(): boolean {
    return this.#lightWaits
  }

  push(item: T): void {
    this.#waiting.push(item.lane ?? '', item)
    this.#count(item.lane, 1)
    if (this.isLightBesideHeavy(item.lane)) this.#lightWaits = true
  }

  /** Removes and returns the calls of the next batch. Empty if none waits. */
  nextBatch(): T[] {
    const besideLight = this.isBesideLight
    const batch: T[] = []
    const taken = new Map<string, number>()
    const may = (lane: string): boolean => !this.#isHeavy(lane) || (taken.get(lane) ?? 0) < callsBesideLight
    while (batch.length < callsInBatch) {
      const item = besideLight ? this.#waiting.shift(may) : this.#waiting.shift()
      if (!item) break
      batch.push(item)
      if (item.lane !== null) taken.set(item.lane, (taken.get(item.lane) ?? 0) + 1)
    }
    for (const [lane, calls] of this.#last) this.#count(lane, -calls)
    this.#last = taken
    if (batch.length < callsInBatch) this.#lightWaits = false
    return batch
  }

  /** Removes and returns all calls that wait. */
  clear(): readonly T[] {
    const all: T[] = []
    for (let item = this.#waiting.shift(); item; item = this.#waiting.shift()) all.push(item)
    for (const { lane } of all) this.#count(lane, -1)
    this.#lightWaits = false
    return all
  }

  #isHeavy(lane: string): boolean {
    return (this.#calls.get(lane) ?? 0) > callsOfLight
  }

  #count(lane: string | null, change: number): void {
    if (lane === null) return
    const was = this.#isHeavy(lane)
    const calls = (this.#calls.get(lane) ?? 0) + change
    if (calls > 0) this.#calls.set(lane, calls)
    else this.#calls.delete(lane)
    this.#heavy += Number(this.#isHeavy(lane)) - Number(was)
  }
}
