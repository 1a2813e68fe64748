import type { Clock, Millis } from '../../domain/index.ts'

interface Timer {
  readonly at: Millis
  readonly action: () => void
}

/** So many turns of the event loop without a word from anybody mean that all that goes on waits for the time. */
const quietTurns = 3

/**
 * A clock of its own that stands while anything goes on, and jumps to the next timer when all that goes on waits for the time: a run that
 * sleeps for hours is rehearsed in no time, and what sleeps side by side wakes in order.
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
    const timer = { at: this.#now + Math.max(delay, 0), action }
    this.#timers.push(timer)
    this.#arm()
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Nothing of a rehearsal beats: what is done again and again looks after processes, and there is none. */
  every(): () => void {
    return () => {}
  }

  /** Stands still while this is under way, however long it takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      this.#arm()
    }
  }

  /** Moves on to a time, where that is not past. */
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
    const [first] = this.#timers.toSorted((a, b) => a.at - b.at)
    if (first === undefined) return
    this.#timers = this.#timers.filter((other) => other !== first)
    this.moveTo(first.at)
    first.action()
    this.#arm()
  }
}
