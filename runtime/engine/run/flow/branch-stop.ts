/**
 * Keeps a part of a playbook from beginning further steps: a branch that was cancelled, or a run that a
 * branch has stopped. Steps that an earlier execution began are replayed first. So a write that was under way
 * is settled, and everything that was done is reported.
 */
export class BranchStop {
  readonly #outer: BranchStop | null
  readonly #isReplaying: () => boolean
  #reason: Error | null = null

  /** @param isReplaying whether steps that an earlier execution began in this part are still to be replayed */
  constructor(outer: BranchStop | null, isReplaying: () => boolean) {
    this.#outer = outer
    this.#isReplaying = isReplaying
  }

  /**
   * Stops the part.
   * @param reason the next step throws this instead of beginning; the first reason wins
   */
  stop(reason: Error): void {
    this.#reason ??= reason
  }

  /** The reason, if it was stopped. */
  get reason(): Error | null {
    return this.#reason
  }

  /** Call before each step. @throws the reason, once everything that was begun is replayed */
  check(): void {
    if (this.#reason && !this.#isReplaying()) throw this.#reason
    this.#outer?.check()
  }
}
