import { systemClock } from '../../runtime/config/index.ts'
import type { Clock, Millis } from '../../runtime/domain/index.ts'

/**
 * The demo's clock. It begins in the past and stands still there; the demo moves it from one event to the next, so a week takes seconds.
 * After `release` it runs as the machine's clock does.
 */
export class DemoClock implements Clock {
  /** Null once the clock runs. */
  #standing: Millis | null
  /** How far the clock is ahead of the machine's clock, once it runs. */
  #offset: Millis = 0
  readonly #regular = new Set<() => void>()

  constructor(beginning: Millis) {
    this.#standing = beginning
  }

  now(): Millis {
    return this.#standing ?? systemClock.now() + this.#offset
  }

  /** In the past, this takes no real time. The clock goes forward instead. */
  async sleep(delay: Millis, signal?: AbortSignal): Promise<void> {
    if (this.#standing === null) return systemClock.sleep(delay, signal)
    if (signal?.aborted) throw signal.reason
    this.pass(delay)
  }

  /** Uses real time, because such timers only end work that takes too long. */
  after(delay: Millis, action: () => void): () => void {
    return systemClock.after(delay, action)
  }

  /** In the past, `action` happens only at each `beat`, so every demo is the same. */
  every(period: Millis, action: () => void): () => void {
    const stop = systemClock.every(period, () => {
      if (this.#standing === null) action()
    })
    this.#regular.add(action)
    return () => {
      stop()
      this.#regular.delete(action)
    }
  }

  /** Runs the repeated actions, such as heartbeats and sweeps. */
  beat(): void {
    for (const action of [...this.#regular]) action()
  }

  pass(time: Millis): void {
    if (this.#standing !== null) this.#standing += time
  }

  /** Goes forward to a time in the past. Never goes back. */
  goTo(time: Millis): void {
    if (this.#standing !== null) this.#standing = Math.max(this.#standing, time)
  }

  /** Ends the past: the clock shows `now`, and runs from there. */
  release(now: Millis): void {
    this.#offset = Math.max(now, this.#standing ?? 0) - systemClock.now()
    this.#standing = null
  }
}
