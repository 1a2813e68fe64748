import type { Millis } from '../domain/index.ts'
import { ahead, type Rate } from './port.ts'

/** Whole microseconds. Sums of them are exact, in JavaScript and in Redis. */
export type Micros = number

export const microsOf = (time: Millis): Micros => Math.round(time * 1_000)

/** Returns the time between two requests, evenly spaced. */
export function spacingOf({ requests, interval }: Rate): Micros {
  return Math.ceil(microsOf(interval) / requests)
}

/** Returns how early requests may leave, compared to even spacing. */
export function slackOf(rate: Rate): Micros {
  return spacingOf(rate) * (rate.burst - 1)
}

/**
 * When requests of one key may leave. Implements the generic cell rate algorithm (ITU-T I.371). The Redis
 * scripts do the same.
 */
export class Schedule {
  /** When all permits so far would be used, if requests were evenly spaced. */
  #busy: Micros = 0
  #heldUntil: Micros = 0
  #seen: Micros = 0
  /** The spacing in which `busy` is counted. Null: nothing was counted yet. */
  #spacing: Micros | null = null

  /** @returns the delays of the permits; empty if the first comes later than `within` */
  take(time: Millis, rate: Rate, most: number, within: Millis): { delays: Millis[]; opensIn: Millis; mark: Micros } {
    const now = this.#now(time)
    this.#countAt(now, rate)
    const opensIn = this.#opensIn(now, rate)
    const delays: Millis[] = []
    for (let delay = opensIn; opensIn <= within && delays.length < most && delay <= (delays[0] ?? delay) + ahead; delay = this.#opensIn(now, rate)) {
      delays.push(delay)
      this.#busy = Math.max(this.#busy, now) + spacingOf(rate)
    }
    return { delays, opensIn, mark: this.#busy }
  }

  /** @param mark from the `take` that returned the permits; if others were taken after it, the permits are lost */
  giveBack(rate: Rate, count: number, mark: Micros): void {
    if (this.#busy === mark) this.#busy -= count * spacingOf(rate)
  }

  hold(time: Millis, rate: Rate, delay: Millis): void {
    const now = this.#now(time)
    this.#countAt(now, rate)
    this.#heldUntil = Math.max(this.#heldUntil, now + microsOf(delay))
    this.#busy = Math.max(this.#busy, this.#heldUntil + slackOf(rate))
  }

  heldFor(time: Millis): Millis {
    return Math.max(Math.ceil((this.#heldUntil - this.#now(time)) / 1_000), 0)
  }

  /** Returns whether no permit and no hold has an effect any more. */
  idle(time: Millis): boolean {
    return Math.max(this.#busy, this.#heldUntil) <= this.#now(time)
  }

  #opensIn(now: Micros, rate: Rate): Millis {
    return Math.max(Math.ceil((this.#busy - slackOf(rate) - now) / 1_000), 0)
  }

  /**
   * If the rate has become faster, counts each earlier permit as one at the new rate. Otherwise permits of a rate for
   * a day could keep the key closed for a day.
   */
  #countAt(now: Micros, rate: Rate): void {
    const spacing = spacingOf(rate)
    if (this.#spacing !== null && spacing < this.#spacing && this.#busy > now) {
      const counted = now + Math.ceil(((this.#busy - now) / this.#spacing) * spacing)
      this.#busy = this.#heldUntil > now ? Math.max(counted, this.#heldUntil + slackOf(rate)) : counted
    }
    this.#spacing = spacing
  }

  /**
   * Returns the time in microseconds. If the clock is set back, moves the schedule back too, so that the key
   * does not stay closed.
   */
  #now(time: Millis): Micros {
    const now = microsOf(time)
    const back = Math.max(this.#seen - now, 0)
    this.#busy -= back
    this.#heldUntil -= back
    this.#seen = now
    return now
  }
}
