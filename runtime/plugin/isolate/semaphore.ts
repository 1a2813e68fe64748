import type { IsolateEnd } from './protocol.ts'

/** So many calls at once; the others wait for their turn. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(size: number) {
    this.#free = size
  }

  /** @returns `stopped`, if the signal came before its turn */
  async within(signal: AbortSignal, act: () => Promise<IsolateEnd>): Promise<IsolateEnd> {
    if (!(await this.#turn(signal))) return { kind: 'stopped' }
    try {
      return await act()
    } finally {
      this.#leave()
    }
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        resolve(false)
      }
      const go = (): void => {
        signal.removeEventListener('abort', onAbort)
        resolve(true)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(go)
    })
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
