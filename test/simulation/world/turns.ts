const nextTurn = globalThis.setImmediate

/** The immediates of what is simulated: run one after the other, in order, when nothing else goes on in the same moment. */
export class Turns {
  #waiting: (() => void)[] = []

  /** Takes `setImmediate` over. @returns what gives it back */
  takeOver(): () => void {
    const standing = globalThis.setImmediate
    const queue = (action: (...given: unknown[]) => void, ...given: unknown[]): void => void this.#waiting.push(() => action(...given))
    globalThis.setImmediate = queue as unknown as typeof setImmediate
    return () => {
      globalThis.setImmediate = standing
    }
  }

  /** Resolves when all that the moment brings has been done: promises, and immediates. */
  async done(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => void nextTurn(resolve))
      const next = this.#waiting.shift()
      if (!next) return
      next()
    }
  }
}
