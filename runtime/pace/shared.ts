import type { Clock, Millis } from '../domain/index.ts'
import type { Pace, PaceKey, Rate, Turns } from './port.ts'

/** So long is waited for an answer that a request waits for. */
export const answersWithin: Millis = 250
/** So long the shared pace is not asked again after it did not answer. */
export const rest: Millis = 5_000

/**
 * The pace that processes share, and the process's own: each turn is one of both. So when the shared one does not answer, the process goes
 * on at its own, and when that one has forgotten everything, no process exceeds the rate by itself.
 */
export class SharedPace implements Pace {
  readonly #own: Pace
  readonly #shared: Pace
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  #askAgainAt: Millis = 0
  /** Whether somebody knows that it does not answer now. */
  #told = false

  /**
   * @param shared its methods may reject, or never settle
   * @param report hears once of each time that it does not answer
   */
  constructor(own: Pace, shared: Pace, clock: Clock, report: (error: unknown) => void) {
    this.#own = own
    this.#shared = shared
    this.#clock = clock
    this.#report = report
  }

  async take(key: PaceKey, rate: Rate, most: number, within: Millis): Promise<Turns> {
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

  async hold(key: PaceKey, rate: Rate, delay: Millis): Promise<void> {
    await this.#own.hold(key, rate, delay)
    await this.#ask(() => this.#shared.hold(key, rate, delay))
  }

  async heldFor(key: PaceKey): Promise<Millis> {
    const own = await this.#own.heldFor(key)
    return own > 0 ? own : ((await this.#ask(() => this.#shared.heldFor(key))) ?? 0)
  }

  close(): void {
    this.#own.close()
    this.#shared.close()
  }

  /** @param tooLate is given an answer that nobody waits for any more. @returns null when there was none in time */
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
        this.#askAgainAt = this.#clock.now() + rest
        if (!this.#told) this.#report(error)
        this.#told = true
        end(null)
      }
      // After a pause of this process its timers come before the answers that arrived meanwhile: those are read first.
      const cancel = this.#clock.after(answersWithin, () => setImmediate(() => fail(new Error(`Redis did not answer within ${answersWithin} ms.`))))
      question().then((answer) => {
        if (!waiting) return tooLate(answer)
        this.#told = false
        end(answer)
      }, fail)
    })
  }
}
