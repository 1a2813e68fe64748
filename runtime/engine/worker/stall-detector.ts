import { type Clock, type Millis, sessionDeadAfter } from '../../domain/index.ts'

/** If an answer of the store or a timer is later than this, this process may have missed heartbeats of others. */
const stalledAfter: Millis = 4_000

/**
 * Tells whether this process may declare others dead. If it stalled itself, or the store did not answer, it has
 * seen no heartbeats. After that, the others get time to be heard first.
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

  /** Notes that no heartbeats could be seen until now. */
  noteStall(): void {
    this.#deafAt = this.#clock.now()
  }

  /**
   * Runs a small request to the store, and notes a stall if it took too long.
   * @throws the error of the request
   */
  async measure(question: () => Promise<unknown>): Promise<void> {
    const began = this.#clock.now()
    await question()
    if (this.#clock.now() - began > stalledAfter) this.noteStall()
  }

  /** Returns whether every living process has had time for a heartbeat since the last stall. */
  get trusted(): boolean {
    if (this.#deafAt === null) return true
    const since = this.#clock.now() - this.#deafAt
    // If the clock was set back, the difference means nothing.
    return since < 0 || since >= sessionDeadAfter
  }
}
