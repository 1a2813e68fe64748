import type { Clock, Millis } from '../domain/index.ts'
import type { RateLimit } from '../plugin/index.ts'

/** What became of the wait for a turn. `late`: none came in time, and `retryAfter` milliseconds from now there may be one. */
export type Turn = { readonly ok: true } | { readonly ok: false; readonly why: 'late' | 'given_up'; readonly retryAfter: Millis }

interface Waiting {
  settle(turn: Turn): void
}

const admitted: Turn = { ok: true }
const givenUp: Turn = { ok: false, why: 'given_up', retryAfter: 0 }

/**
 * Lets requests of one connection through at its rate: `requests` in `interval`, evenly spaced, and up to `burst` at once after a quiet
 * time. Those that must wait do so in lanes, which take turns, so that a lane with many requests delays another by one at a time.
 */
export class Gate {
  readonly #clock: Clock
  #limit: RateLimit
  /** When all that was let through would have passed, had it been evenly spaced. */
  #busyUntil: Millis = 0
  #lastNow: Millis = 0
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Waiting[]>()
  #cancelTimer: (() => void) | null = null

  constructor(clock: Clock, limit: RateLimit) {
    this.#clock = clock
    this.#limit = limit
  }

  /** The limit may change with the plugin; what was let through counts on. */
  set limit(limit: RateLimit) {
    this.#limit = limit
  }

  get idle(): boolean {
    return this.#lanes.size === 0 && this.#busyUntil <= this.#now()
  }

  /** Resolves when the request may leave, or when it is certain that it may not before `until`. Never rejects. */
  enter(lane: string, until: Millis, signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return Promise.resolve(givenUp)
    const now = this.#now()
    if (this.#lanes.size === 0 && this.#opensAt() <= now) {
      this.#pass(now)
      return Promise.resolve(admitted)
    }
    if (this.#opensAt() > until) return Promise.resolve(this.#late())
    return new Promise((resolve) => {
      const onAbort = (): void => waiting.settle(givenUp)
      const cancel = this.#clock.after(Math.max(until - now, 0), () => waiting.settle(this.#late()))
      const waiting: Waiting = {
        settle: (turn) => {
          cancel()
          signal.removeEventListener('abort', onAbort)
          if (!turn.ok) this.#leave(lane, waiting)
          resolve(turn)
        },
      }
      signal.addEventListener('abort', onAbort)
      const queue = this.#lanes.get(lane)
      if (queue) queue.push(waiting)
      else this.#lanes.set(lane, [waiting])
      this.#arm()
    })
  }

  /** Lets nothing through for so long, and after that no burst: the system has said that it had too much. */
  close(delay: Millis): void {
    this.#busyUntil = Math.max(this.#busyUntil, this.#now() + delay + this.#slack())
  }

  #spacing(): Millis {
    return this.#limit.interval / this.#limit.requests
  }

  #slack(): Millis {
    return this.#spacing() * (this.#limit.burst - 1)
  }

  #opensAt(): Millis {
    // Many small spacings add up to a hair more than their sum.
    return this.#busyUntil - this.#slack() - 1e-3
  }

  #late(): Turn {
    return { ok: false, why: 'late', retryAfter: Math.max(Math.ceil(this.#opensAt() - this.#now()), 0) }
  }

  #pass(now: Millis): void {
    this.#busyUntil = Math.max(this.#busyUntil, now) + this.#spacing()
  }

  /** A clock that is set back must not keep the gate closed for as long. */
  #now(): Millis {
    const now = this.#clock.now()
    if (now < this.#lastNow) this.#busyUntil -= this.#lastNow - now
    this.#lastNow = now
    return now
  }

  #leave(lane: string, waiting: Waiting): void {
    const rest = (this.#lanes.get(lane) ?? []).filter((other) => other !== waiting)
    if (rest.length > 0) this.#lanes.set(lane, rest)
    else this.#lanes.delete(lane)
    if (this.#lanes.size > 0) return
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #arm(): void {
    if (this.#cancelTimer || this.#lanes.size === 0) return
    const delay = Math.max(Math.ceil(this.#opensAt() - this.#now()), 1)
    this.#cancelTimer = this.#clock.after(delay, () => {
      this.#cancelTimer = null
      this.#serve()
    })
  }

  #serve(): void {
    for (const now = this.#now(); this.#opensAt() <= now; ) {
      const [first] = this.#lanes
      if (!first) return
      const [lane, queue] = first
      const waiting = queue.shift()
      // To the end of the turns, or out of them.
      this.#lanes.delete(lane)
      if (queue.length > 0) this.#lanes.set(lane, queue)
      this.#pass(now)
      waiting?.settle(admitted)
    }
    this.#arm()
  }
}
