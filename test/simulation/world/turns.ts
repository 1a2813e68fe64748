const nextTurn = globalThis.setImmediate

/**
 * The immediates of simulated code. They run one after the other, in order, when nothing else happens at the
 * same moment.
 */
export class Turns {
  #waiting: (() => void)[] = []

  /**
   * Replaces `setImmediate`.
   * @returns a function that restores it
   */
  takeOver(): () => void {
    const standing = globalThis.setImmediate
    const queue = (action: (...given: unknown[]) => void, ...given: unknown[]): void => void this.#waiting.push(() => action(...given))
    globalThis.setImmediate = queue as unknown as typeof setImmediate
    return () => {
      globalThis.setImmediate = standing
    }
  }

  /** Resolves when everything of this moment is done: promises and immediates. */
  async done(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => void nextTurn(resolve))
      const next = this.#waiting.shift()
      if (!next) return
      next()
    }
  }
}
