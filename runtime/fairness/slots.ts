import { FairQueue } from './fair-queue.ts'

/** Gives the slot back. Calling it again does nothing. */
export type Release = () => void

/** How many slots a key may hold for each slot that it leaves free. */
const slotsPerFree = 3

/**
 * Creates slots of which one key alone gets at most `most`. A third more is reserved for keys that come later.
 * @param kept how many slots to keep free at the moment, as `Slots` says
 */
export function slotsFor(most: number, kept?: () => number): Slots {
  return new Slots(most + Math.ceil(most / slotsPerFree), kept)
}

/**
 * A fixed number of slots that keys (organizations) share. One key alone can take about three quarters of
 * them. The rest stays free for keys that come later, and the last free slot always goes to a key that holds
 * none. This is the dynamic-threshold rule of shared switch buffers (Choudhury and Hahne, 1998): a key may
 * take a slot while it holds fewer than three times the slots that would be left.
 */
export class Slots {
  readonly #held = new Map<string, number>()
  readonly #waiting = new FairQueue<(release: Release) => void>()
  readonly #kept: () => number
  #free: number

  /**
   * @param kept how many slots to keep free at the moment. Only a key that holds none may take one of them. `take` does not
   * notice if it falls. Absent: none
   */
  constructor(total: number, kept: () => number = () => 0) {
    this.#free = total
    this.#kept = kept
  }

  /** How many slots nobody holds. */
  get free(): number {
    return this.#free
  }

  /** Returns whether `tryTake` would give this key a slot now. */
  has(key: string): boolean {
    const held = this.#held.get(key) ?? 0
    return this.#free > 0 && (held === 0 || held < slotsPerFree * (this.#free - this.#kept() - 1))
  }

  /** Takes a slot if the key may have one now, else returns null. */
  tryTake(key: string): Release | null {
    return this.has(key) ? this.#take(key) : null
  }

  /**
   * Waits for a slot.
   * @throws the signal's reason if it aborts before a slot is free
   */
  take(key: string, signal?: AbortSignal): Promise<Release> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    return new Promise((resolve, reject) => {
      const remove = this.#waiting.push(key, (release) => {
        signal?.removeEventListener('abort', onAbort)
        resolve(release)
      })
      const onAbort = (): void => {
        remove()
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#serve()
    })
  }

  #take(key: string): Release {
    this.#free -= 1
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1)
    let released = false
    return () => {
      if (released) return
      released = true
      this.#free += 1
      const held = (this.#held.get(key) ?? 0) - 1
      if (held > 0) this.#held.set(key, held)
      else this.#held.delete(key)
      this.#serve()
    }
  }

  #serve(): void {
    while (this.#free > 0) {
      let key = ''
      const next = this.#waiting.shift((one) => {
        key = one
        return this.has(one)
      })
      if (!next) return
      next(this.#take(key))
    }
  }
}
