import type { Millis } from '../domain/index.ts'
import type { Attempted } from './attempt.ts'

/** Attempts at once for a webhook that answers. */
const wide = 10
/** A receiver that asks for longer is asked again sooner, by one delivery. */
const longestHold: Millis = 60 * 60 * 1_000

/** How one process stands with one webhook: as long as it fails, one attempt at a time goes there, so that a dead receiver holds up none but itself. */
export class Lane {
  active = 0
  #failing = false
  #heldUntil: Millis = 0

  /** Attempts that may begin now. */
  room(now: Millis): number {
    if (now < this.#heldUntil) return 0
    return Math.max((this.#failing ? 1 : wide) - this.active, 0)
  }

  note({ error, retryAfter }: Attempted, now: Millis): void {
    this.#failing = error !== null
    if (retryAfter !== null) this.#heldUntil = now + Math.min(retryAfter, longestHold)
  }

  /** Whether nothing would be lost with it. */
  idle(now: Millis): boolean {
    return this.active === 0 && !this.#failing && now >= this.#heldUntil
  }
}
