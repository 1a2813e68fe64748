import type { Clock, Millis } from '../domain/index.ts'
import type { PermitSource, Permits, Rate, RateKey } from './port.ts'

/** How long to wait for an answer from Redis while a request waits. */
export const answersWithin: Millis = 250
/** How long not to ask Redis again after it did not answer. */
export const silenceAfterFault: Millis = 5_000

/**
 * Combines the permits that processes share with the process's own. A request needs one of each. If the
 * shared ones do not answer, the process uses only its own. If Redis has lost its data, its own permits still
 * keep each process to the rate.
 */
export class SharedPermitSource implements PermitSource {
  readonly #own: PermitSource
  readonly #shared: PermitSource
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  #askAgainAt: Millis = 0
  /** Whether the current fault was reported. */
  #told = false

  /**
   * @param shared its methods may reject, or never settle
   * @param report called once for each fault
   */
  constructor(own: PermitSource, shared: PermitSource, clock: Clock, report: (error: unknown) => void) {
    this.#own = own
    this.#shared = shared
    this.#clock = clock
    this.#report = report
  }

  async take(key: RateKey, rate: Rate, most: number, within: Millis): Promise<Permits> {
    const own = await this.#own.take(key, rate, most, within)
    const count = own.delays.length
    if (count === 0) return own
    const began = this.#clock.now()
    const asked = await this.#ask(
      () => this.#shared.take(key, rate, count, within),
      (late) => late.giveBack(late.delays.length),
    )
    const waited = Math.max(this.#clock.now() - began, 0)
    const ownDelays = own.delays.map((delay) => Math.max(delay - waited, 0))
    if (asked === null) return { ...own, delays: ownDelays, opensIn: Math.max(own.opensIn - waited, 0) }
    own.giveBack(count - asked.delays.length)
    return {
      delays: asked.delays.map((delay, index) => Math.max(delay, ownDelays[index] ?? 0)),
      opensIn: Math.max(asked.opensIn, ownDelays[0] ?? 0),
      giveBack: (unused) => {
        own.giveBack(unused)
        asked.giveBack(unused)
      },
    }
  }

  async hold(key: RateKey, rate: Rate, delay: Millis): Promise<void> {
    await this.#own.hold(key, rate, delay)
    await this.#ask(() => this.#shared.hold(key, rate, delay))
  }

  async heldFor(key: RateKey): Promise<Millis> {
    const own = await this.#own.heldFor(key)
    return own > 0 ? own : ((await this.#ask(() => this.#shared.heldFor(key))) ?? 0)
  }

  close(): void {
    this.#own.close()
    this.#shared.close()
  }

  /**
   * Asks the shared permits.
   * @param tooLate receives an answer that arrives after the time limit
   * @returns null if there was no answer in time
   */
  #ask<T>(question: () => Promise<T>, tooLate: (answer: T) => void = () => {}): Promise<T | null> {
    if (this.#clock.now() < this.#askAgainAt) return Promise.resolve(null)
    return new Promise((resolve) => {
      let waiting = true
      const end = (answer: T | null): void => {
        waiting = false
        cancel()
        resolve(answer)
      }
      const fail = (error: unknown): void => {
        if (!waiting) return
        this.#askAgainAt = this.#clock.now() + silenceAfterFault
        if (!this.#told) this.#report(error)
        this.#told = true
        end(null)
      }
      // After a stall of this process, its timers fire before it reads answers that have already arrived.
      // Read those first.
      const cancel = this.#clock.after(answersWithin, () => setImmediate(() => fail(new Error(`Redis did not answer within ${answersWithin} ms.`))))
      question().then((answer) => {
        if (!waiting) return tooLate(answer)
        this.#told = false
        end(answer)
      }, fail)
    })
  }
}
