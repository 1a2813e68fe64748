import type { Clock, Millis } from '../../domain/index.ts'

/** A point in time, and which of several things that happen then comes first: the one with the lowest `order`. */
export interface At {
  readonly at: Millis
  readonly order: number
}

interface Timer {
  readonly at: Millis
  /** Of timers at the same time, the lowest comes first. */
  readonly order: number
  readonly action: () => void
}

/** After this many turns of the event loop without activity, all work is waiting for time to pass. */
const quietTurns = 3

/**
 * A clock that stands still while anything runs. When all work waits for time to pass, it jumps to
 * the next timer. So a run that sleeps for hours is rehearsed at once, and sleeping branches wake
 * in order.
 */
export class JumpingClock implements Clock {
  #now: Millis
  #timers: Timer[] = []
  #busy = 0
  #armed = false

  constructor(now: Millis) {
    this.#now = now
  }

  now(): Millis {
    return this.#now
  }

  sleep(delay: Millis, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const cancel = this.after(delay, resolve)
      signal?.addEventListener(
        'abort',
        () => {
          cancel()
          reject(signal.reason)
        },
        { once: true },
      )
    })
  }

  after(delay: Millis, action: () => void): () => void {
    return this.#add({ at: this.#now + Math.max(delay, 0), order: Number.POSITIVE_INFINITY, action })
  }

  /**
   * Resolves at a time, once all other work waits for time to pass.
   *
   * @param at a time in the past counts as now
   * @param order of arrivals at the same time, the lowest comes first
   */
  arrival(at: Millis, order: number): Promise<void> {
    return new Promise((resolve) => void this.#add({ at: Math.max(at, this.#now), order, action: resolve }))
  }

  #add(timer: Timer): () => void {
    this.#timers.push(timer)
    this.#arm()
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Does nothing. Repeated work looks after other processes, and a rehearsal has none. */
  every(): () => void {
    return () => {}
  }

  /** Stands still while `work` runs, however long that takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      this.#arm()
    }
  }

  /** Advances to a time, unless it is in the past. */
  moveTo(time: Millis): void {
    this.#now = Math.max(this.#now, time)
  }

  #arm(): void {
    if (this.#armed || this.#busy > 0 || this.#timers.length === 0) return
    this.#armed = true
    let turns = 0
    const turn = (): void => {
      turns += 1
      if (turns < quietTurns) return void setImmediate(turn)
      this.#armed = false
      this.#jump()
    }
    setImmediate(turn)
  }

  #jump(): void {
    if (this.#busy > 0) return
    const [first] = this.#timers.toSorted((a, b) => a.at - b.at || (a.order === b.order ? 0 : a.order - b.order))
    if (first === undefined) return
    this.#timers = this.#timers.filter((other) => other !== first)
    this.moveTo(first.at)
    first.action()
    this.#arm()
  }
}
