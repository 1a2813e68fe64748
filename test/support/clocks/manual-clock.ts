import type { Clock, Millis } from '../../../runtime/domain/index.ts'

interface Timer {
  readonly at: Millis
  readonly action: () => void
}

/** A clock that a test moves by hand. */
export class ManualClock implements Clock {
  #now: Millis
  #timers: Timer[] = []

  constructor(now: Millis = 1_800_000_000_000) {
    this.#now = now
  }

  now(): Millis {
    return this.#now
  }

  sleep(delay: Millis, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const cancel = this.after(delay, resolve)
      signal?.addEventListener('abort', () => {
        cancel()
        reject(signal.reason)
      })
    })
  }

  after(delay: Millis, action: () => void): () => void {
    const timer = { at: this.#now + delay, action }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  every(period: Millis, action: () => void): () => void {
    let stopped = false
    let cancel = (): void => {}
    const arm = (): void => {
      cancel = this.after(period, () => {
        if (stopped) return
        arm()
        action()
      })
    }
    arm()
    return () => {
      stopped = true
      cancel()
    }
  }

  /** Moves the clock forward and fires due timers in order. */
  advance(delay: Millis): void {
    const end = this.#now + delay
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#now = Math.max(this.#now, next.at)
      this.#timers = this.#timers.filter((other) => other !== next)
      next.action()
    }
    this.#now = end
  }

  /** Moves the clock forward at once, as if the machine had slept: a due timer fires once, however often its period has passed. */
  leap(delay: Millis): void {
    this.#now += delay
    const due = this.#timers.filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    this.#timers = this.#timers.filter((timer) => !due.includes(timer))
    for (const { action } of due) action()
  }
}
