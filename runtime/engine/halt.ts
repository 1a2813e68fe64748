/**
 * Keeps a stretch of steps from beginning further ones: a branch that is cancelled, a run that a branch stopped. What an earlier life of
 * the run had begun in it is gone through first, so that a write that was under way is settled and everything that was done is told.
 */
export class Halt {
  readonly #outer: Halt | null
  /** Addresses of what earlier lives began, and this one has not come past yet. */
  readonly #ahead: Set<string>
  #reason: Error | null = null

  /** @param ahead addresses of what earlier lives of the run began in the stretch */
  constructor(outer: Halt | null, ahead: Iterable<string>) {
    this.#outer = outer
    this.#ahead = new Set(ahead)
  }

  /** @param reason what the next step to begin throws in its place; the first one counts */
  stop(reason: Error): void {
    this.#reason ??= reason
  }

  /** Asked before each step. @throws the reason, once nothing is ahead that had begun */
  check(): void {
    if (this.#reason && this.#ahead.size === 0) throw this.#reason
    this.#outer?.check()
  }

  /** A step has ended. */
  passed(address: string): void {
    this.#ahead.delete(address)
    this.#outer?.passed(address)
  }
}
