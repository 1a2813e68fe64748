/** Counts the runs that have not ended, and tells who waits for one. */
export class Ends {
  readonly #waiting = new Map<string, () => void>()
  #open = 0

  /** How many runs have not ended. */
  get open(): number {
    return this.#open
  }

  begin(): void {
    this.#open += 1
  }

  end(id: string): void {
    this.#open -= 1
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
  }

  /** Resolves when the run has ended. Call it before the run begins. */
  of(id: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }
}
