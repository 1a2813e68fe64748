import { type Clock, type Millis, sessionDeadAfter } from '../../domain/index.ts'

/** If the store takes longer to answer, or a timer is later than this, the process has missed heartbeats of others for a while. */
const stalledAfter: Millis = 4_000

/**
 * Whether a process can tell that others are silent. If it stalled itself, or its store was away, it has heard from nobody. After that, the others
 * get time to be heard before it declares them dead.
 */
export class StallDetector {
  readonly #clock: Clock
  #deafAt: Millis | null = null
  #tickAt: Millis | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Call this regularly, at least every `period`. */
  tick(period: Millis): void {
    const now = this.#clock.now()
    if (this.#tickAt !== null && now - this.#tickAt > period + stalledAfter) this.noteStall()
    this.#tickAt = now
  }

  /** Notes that nobody could be heard until now. */
  noteStall(): void {
    this.#deafAt = this.#clock.now()
  }

  /** Runs a small request to the store, and notes if it took too long. @throws the error of the request */
  async measure(question: () => Promise<unknown>): Promise<void> {
    const began = this.#clock.now()
    await question()
    if (this.#clock.now() - began > stalledAfter) this.noteStall()
  }

  /** Whether every living process has had time to be heard since the last stall. */
  get trusted(): boolean {
    if (this.#deafAt === null) return true
    const since = this.#clock.now() - this.#deafAt
    // If the clock was set back, the difference means nothing.
    return since < 0 || since >= sessionDeadAfter
  }
}
