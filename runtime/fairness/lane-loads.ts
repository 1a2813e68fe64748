/** A lane with more calls than this is heavy. A run that is alone in its lane has fewer, unless it does many things at once. */
const callsOfLight = 8

/** How many calls of each lane are here. Tells heavy lanes, which are floods, from light ones. */
export class LaneLoads {
  readonly #calls = new Map<string, number>()
  /** How many lanes are heavy. */
  #heavy = 0

  /** Whether light lanes are here beside heavy ones. */
  get isBesideLight(): boolean {
    return this.#heavy > 0 && this.#heavy < this.#calls.size
  }

  isHeavy(lane: string): boolean {
    return (this.#calls.get(lane) ?? 0) > callsOfLight
  }

  /** Whether the lane is light, and another one is heavy. */
  isLightBesideHeavy(lane: string | null): boolean {
    return lane !== null && this.#heavy > 0 && !this.isHeavy(lane)
  }

  /** @param lane null: the calls are for no lane, and do not count */
  add(lane: string | null, change: number): void {
    if (lane === null) return
    const was = this.isHeavy(lane)
    const calls = (this.#calls.get(lane) ?? 0) + change
    if (calls > 0) this.#calls.set(lane, calls)
    else this.#calls.delete(lane)
    this.#heavy += Number(this.isHeavy(lane)) - Number(was)
  }
}
