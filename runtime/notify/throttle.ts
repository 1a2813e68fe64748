import type { Millis } from '../domain/index.ts'
import type { Attempted } from './attempt.ts'

/** The most concurrent attempts for a webhook that answers. */
const widest = 10
/** If a receiver asks for a longer wait, one delivery is tried after this time. */
const longestHold: Millis = 60 * 60 * 1_000
/** The pause after the first failure. It doubles with each failure after that. */
const firstPause: Millis = 1_000
const longestPause: Millis = 60_000

/**
 * How fast one process may send to one webhook. Begins with one attempt at a time. Each success doubles that.
 * A failure sets it back to one, after a pause. So a dead receiver holds up nobody else, and one that
 * recovers is not flooded.
 */
export class Throttle {
  active = 0
  #width = 1
  #failures = 0
  #heldUntil: Millis = 0

  /**
   * Returns how many attempts may begin now. Returns 0 if there is room for only a few, so that deliveries
   * are leased together.
   */
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

  /** Returns whether this object can be dropped without losing anything. */
  idle(now: Millis): boolean {
    return this.active === 0 && this.#failures === 0 && now >= this.#heldUntil
  }
}
