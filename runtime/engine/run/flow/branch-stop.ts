/**
 * Keeps a stretch of steps from beginning further ones: a branch that is cancelled, a run that a branch stopped. What an earlier life of
 * the run had begun in it is gone through first, so that a write that was under way is settled and everything that was done is told.
 */
export class BranchStop {
  readonly #outer: BranchStop | null
  readonly #ahead: () => boolean
  #reason: Error | null = null

  /** @param ahead whether something that an earlier life began in the stretch has not been come past yet */
  constructor(outer: BranchStop | null, ahead: () => boolean) {
    this.#outer = outer
    this.#ahead = ahead
  }

  /** @param reason what the next step to begin throws in its place; the first one counts */
  stop(reason: Error): void {
    this.#reason ??= reason
  }

  /** Why, if it was told to end. */
  get reason(): Error | null {
    return this.#reason
  }

  /** Asked before each step. @throws the reason, once nothing is ahead that had begun */
  check(): void {
    if (this.#reason && !this.#ahead()) throw this.#reason
    this.#outer?.check()
  }
}
