import { type Clock, type Millis, sessionDeadAfter } from '../domain/index.ts'

/** An answer of the store that takes longer, or a timer that is so late, means that nobody could be heard for a while. */
const deafAfter: Millis = 4_000

/**
 * Whether a process can tell that others are silent. One that stood still itself, or whose store was away, has heard nobody: when that is over
 * the others need time to be heard before it declares them dead.
 */
export class Hearing {
  readonly #clock: Clock
  #deafAt: Millis | null = null
  #tickAt: Millis | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Called regularly, every `period` at the latest. */
  tick(period: Millis): void {
    const now = this.#clock.now()
    if (this.#tickAt !== null && now - this.#tickAt > period + deafAfter) this.deaf()
    this.#tickAt = now
  }

  /** Nobody could be heard until now. */
  deaf(): void {
    this.#deafAt = this.#clock.now()
  }

  /** Asks the store for something small, and takes note of how long that takes. @throws what it throws */
  async ask(question: () => Promise<unknown>): Promise<void> {
    const began = this.#clock.now()
    await question()
    if (this.#clock.now() - began > deafAfter) this.deaf()
  }

  /** Whether who is silent now has had the time to be heard. */
  get trusted(): boolean {
    if (this.#deafAt === null) return true
    const since = this.#clock.now() - this.#deafAt
    // A clock that was set back says nothing.
    return since < 0 || since >= sessionDeadAfter
  }
}
