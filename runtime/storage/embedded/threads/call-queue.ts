import { FairQueue, LaneLoads } from '../../../fairness/index.ts'

/** The most calls of a batch. */
const callsInBatch = 1_000
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
  /** The calls that wait or were in the last batch. */
  readonly #loads = new LaneLoads()
  #lightWaits = false
  /** How many calls of each lane were in the last batch. They count, so that a run between two calls counts too. */
  #last: ReadonlyMap<string, number> = new Map()

  get size(): number {
    return this.#waiting.size
  }

  /** Whether light lanes are here beside heavy ones. Then batches are short, and must not wait. */
  get isBesideLight(): boolean {
    return this.#loads.isBesideLight
  }

  /** Whether the lane is light, and another one is heavy. */
  isLightBesideHeavy(lane: string | null): boolean {
    return this.#loads.isLightBesideHeavy(lane)
  }

  /** Whether a call waits that was in a light lane beside heavy ones when it came. */
  get lightWaits(): boolean {
    return this.#lightWaits
  }

  push(item: T): void {
    this.#waiting.push(item.lane ?? '', item)
    this.#loads.add(item.lane, 1)
    if (this.isLightBesideHeavy(item.lane)) this.#lightWaits = true
  }

  /** Removes and returns the calls of the next batch. Empty if none waits. */
  nextBatch(): T[] {
    const besideLight = this.isBesideLight
    const batch: T[] = []
    const taken = new Map<string, number>()
    const may = (lane: string): boolean => !this.#loads.isHeavy(lane) || (taken.get(lane) ?? 0) < callsBesideLight
    while (batch.length < callsInBatch) {
      const item = besideLight ? this.#waiting.shift(may) : this.#waiting.shift()
      if (!item) break
      batch.push(item)
      if (item.lane !== null) taken.set(item.lane, (taken.get(item.lane) ?? 0) + 1)
    }
    for (const [lane, calls] of this.#last) this.#loads.add(lane, -calls)
    this.#last = taken
    if (batch.length < callsInBatch) this.#lightWaits = false
    return batch
  }

  /** Removes and returns all calls that wait. */
  clear(): readonly T[] {
    const all: T[] = []
    for (let item = this.#waiting.shift(); item; item = this.#waiting.shift()) all.push(item)
    for (const { lane } of all) this.#loads.add(lane, -1)
    this.#lightWaits = false
    return all
  }
}
