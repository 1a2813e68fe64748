import type { Millis } from '../domain/index.ts'
import type { Attempted } from './attempt.ts'

/** Attempts at once for a webhook that answers. */
const widest = 10
/** A receiver that asks for longer is asked again sooner, by one delivery. */
const longestHold: Millis = 60 * 60 * 1_000
/** After the first failure; twice as long after each that follows. */
const firstPause: Millis = 1_000
const longestPause: Millis = 60_000

/**
 * How one process stands with one webhook. It begins with one attempt at a time, and has twice as many after each that succeeded. After a failure it
 * has one again, and pauses first: so a dead receiver holds up none but itself, and one that comes back is not run over.
 */
export class Throttle {
  active = 0
  #width = 1
  #failures = 0
  #heldUntil: Millis = 0

  /** Attempts that may begin now; none while there is room for few, so that they are leased together. */
  room(now: Millis): number {
    const room = this.#width - this.active
    return now < this.#heldUntil || 2 * room < this.#width ? 0 : room
  }

  note({ error, retryAfter }: Attempted, now: Millis): void {
    if (error === null) {
      this.#width = Math.min(2 * this.#width, widest)
      this.#failures = 0
      return
    }
    this.#width = 1
    const pause = Math.min(firstPause * 2 ** this.#failures, longestPause)
    this.#failures += 1
    this.#heldUntil = now + Math.max(pause, Math.min(retryAfter ?? 0, longestHold))
  }

  /** Whether nothing would be lost with it. */
  idle(now: Millis): boolean {
    return this.active === 0 && this.#failures === 0 && now >= this.#heldUntil
  }
}
