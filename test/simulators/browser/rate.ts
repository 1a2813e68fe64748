/**
 * One second without requests gives ten requests back. At most twenty may come at once: ten, and a
 * burst of ten more.
 */
const perSecond = 10
const burst = 10

/** The vendor's limit: 10 requests a second, and a short burst of 10 more. */
export class Rate {
  readonly #now: () => number
  #room = perSecond + burst
  #at: number

  /** @param now returns milliseconds */
  constructor(now: () => number) {
    this.#now = now
    this.#at = now()
  }

  /** Counts a request. Returns whether it is within the limit. */
  take(): boolean {
    const now = this.#now()
    this.#room = Math.min(perSecond + burst, this.#room + ((now - this.#at) / 1_000) * perSecond)
    this.#at = now
    if (this.#room < 1) return false
    this.#room -= 1
    return true
  }
}
