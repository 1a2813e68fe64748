import type { Clock, Millis } from '../../domain/index.ts'
import { FairGroups } from '../../fairness/index.ts'
import type { PermitSource, Permits, Rate, RateKey } from '../../rate-limit/index.ts'

/**
 * The result of waiting for a permit. `late`: none came in time. There may be one in `retryAfter`
 * milliseconds.
 */
export type Permit = { readonly ok: true } | { readonly ok: false; readonly why: 'late' | 'given_up'; readonly retryAfter: Millis }

/** Who waits. */
interface Waiter {
  /** The organization, or whatever else pays for the request. */
  readonly tenant: string
  /** The run. */
  readonly lane: string
}

interface Waiting {
  readonly until: Millis
  settle(turn: Permit): void
}

/** The most permits that are taken at once. */
const mostAtOnce = 100
const admitted: Permit = { ok: true }
const givenUp: Permit = { ok: false, why: 'given_up', retryAfter: 0 }

/** Holds the requests of one rate key in this process until they get their permits. Organizations take turns, and so do the runs of each. */
export class RateQueue {
  readonly #clock: Clock
  readonly #permits: PermitSource
  readonly #key: RateKey
  readonly #waiting = new FairGroups<Waiting>()
  #rate: Rate
  /** How many requests are preparing to enter. */
  #arriving = 0
  #working = false
  /** When the next permit is due. Null if nobody waits for one. */
  #next: Millis | null = null
  /** Ends the wait for a permit that nobody needs any more. */
  #nobody: () => void = () => {}

  constructor(clock: Clock, permits: PermitSource, key: RateKey, rate: Rate) {
    this.#clock = clock
    this.#permits = permits
    this.#key = key
    this.#rate = rate
  }

  /** The rate may change with the plugin. Requests that have already left still count. */
  set rate(rate: Rate) {
    this.#rate = rate
  }

  get idle(): boolean {
    return !this.#working && this.#arriving === 0
  }

  /**
   * Lets a request prepare before it enters, if it may get its permit at once. A request that has
   * to wait anyway uses the connections that earlier requests have opened.
   */
  async arrive(prepare: () => Promise<void>): Promise<void> {
    if (this.#waiting.size + this.#arriving >= this.#rate.burst) return
    this.#arriving += 1
    await prepare().finally(() => {
      this.#arriving -= 1
    })
  }

  /**
   * Resolves when the request may leave, or as soon as it is certain that it cannot leave before
   * `until`. Never rejects.
   */
  enter({ tenant, lane }: Waiter, until: Millis, signal: AbortSignal): Promise<Permit> {
    if (signal.aborted) return Promise.resolve(givenUp)
    if (this.#next !== null && this.#next > until) return Promise.resolve(this.#late())
    return new Promise((resolve) => {
      const onAbort = (): void => waiting.settle(givenUp)
      const cancel = this.#clock.after(Math.max(until - this.#clock.now(), 0), () => waiting.settle(this.#late()))
      const waiting: Waiting = {
        until,
        settle: (turn) => {
          cancel()
          signal.removeEventListener('abort', onAbort)
          remove()
          if (this.#waiting.size === 0) this.#nobody()
          resolve(turn)
        },
      }
      signal.addEventListener('abort', onAbort)
      const remove = this.#waiting.push(tenant, lane, waiting)
      if (!this.#working) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#waiting.size > 0) {
      const latest = [...this.#waiting].reduce((latest, { until }) => Math.max(latest, until), 0)
      const within = Math.max(latest - this.#clock.now(), 0)
      const turns = await this.#permits.take(this.#key, this.#rate, Math.min(this.#waiting.size, mostAtOnce), within)
      if (turns.delays.length > 0) await this.#use(turns)
      else this.#refuse(latest, turns.opensIn)
    }
    this.#working = false
  }

  /** Returns early if no request waits any more, or if the key was put on hold meanwhile. */
  async #use({ delays, giveBack }: Permits): Promise<void> {
    const began = this.#clock.now()
    for (const [index, delay] of delays.entries()) {
      // The clock may have been set back.
      const left = Math.min(delay - (this.#clock.now() - began), delay)
      if (left > 0) await this.#wait(left)
      if (delay > 0 && this.#waiting.size > 0 && (await this.#permits.heldFor(this.#key)) > 0) return
      const first = this.#waiting.shift()
      if (!first) return giveBack(delays.length - index)
      first.settle(admitted)
    }
  }

  async #wait(delay: Millis): Promise<void> {
    const next = this.#clock.now() + delay
    this.#next = next
    this.#refuse(next - 1, delay)
    if (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(delay, resolve)
        this.#nobody = () => {
          cancel()
          resolve()
        }
      })
    }
    this.#next = null
    this.#nobody = () => {}
  }

  /** Refuses the requests that may not wait longer than until `latest`. */
  #refuse(latest: Millis, opensIn: Millis): void {
    for (const waiting of [...this.#waiting]) if (waiting.until <= latest) waiting.settle({ ok: false, why: 'late', retryAfter: opensIn })
  }

  #late(): Permit {
    return { ok: false, why: 'late', retryAfter: Math.max((this.#next ?? 0) - this.#clock.now(), 0) }
  }
}
