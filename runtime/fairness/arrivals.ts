import type { Clock, Millis } from '../domain/index.ts'

/**
 * A peak counts for one to two of these periods. A busy process reads few of the alerts that sources have sent, so the count of one moment says
 * little.
 */
const peakFor: Millis = 50

/**
 * How much arrives in this process that other work makes room for: alerts that are not stored yet. Whoever ingests counts. Whoever makes room
 * asks for the peak, and is told when it falls.
 */
export class Arrivals {
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  #count = 0
  /** The largest count in the current period, and in the one before it. */
  #peaks = { now: 0, before: 0 }
  #timed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The largest count of the last 50 to 100 ms. */
  get peak(): number {
    return Math.max(this.#peaks.now, this.#peaks.before)
  }

  came(): void {
    this.#count += 1
    if (this.#count > this.#peaks.now) this.#peaks.now = this.#count
    if (this.#timed) return
    this.#timed = true
    this.#clock.after(peakFor, () => this.#nextTime())
  }

  went(count: number): void {
    this.#count -= count
  }

  /** Returns a function that ends the listening. */
  onFewer(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #nextTime(): void {
    const before = this.peak
    this.#peaks = { now: this.#count, before: this.#peaks.now }
    this.#timed = this.peak > 0
    if (this.#timed) this.#clock.after(peakFor, () => this.#nextTime())
    if (this.peak < before) for (const listener of this.#listeners) listener()
  }
}
