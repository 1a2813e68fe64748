import { setImmediate } from 'node:timers/promises'
import type { Clock, Millis } from '../../../domain/index.ts'

const lookEvery: Millis = 10_000

/** Tells the operator. */
interface Report {
  failed(error: unknown): void
  succeeded(): void
}

/** Work that nobody waits for, such as building segments. What fails is reported, and done at a later call. */
export class Background {
  readonly #clock: Pick<Clock, 'now'>
  readonly #report: Report
  readonly #work: () => Promise<void>
  #lookedAt = Number.NEGATIVE_INFINITY
  #underWay: Promise<void> | null = null
  #stopped = false

  constructor(clock: Pick<Clock, 'now'>, report: Report, work: () => Promise<void>) {
    this.#clock = clock
    this.#report = report
    this.#work = work
  }

  /** The work must not go on. */
  get stopped(): boolean {
    return this.#stopped
  }

  /** Starts the work, unless it is under way, or was started a few seconds ago. */
  start(): void {
    const now = this.#clock.now()
    if (this.#underWay || this.#stopped || Math.abs(now - this.#lookedAt) < lookEvery) return
    this.#lookedAt = now
    this.#underWay = this.#work()
      .then(
        () => this.#report.succeeded(),
        (error: unknown) => this.#report.failed(error),
      )
      .finally(() => {
        this.#underWay = null
      })
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#underWay ?? Promise.resolve()
  }

  /** Takes all steps of the work. Lets others use the event loop between them. Null: it was stopped. */
  async steps<Result>(steps: Iterator<unknown, Result>): Promise<Result | null> {
    let step = steps.next()
    while (!step.done) {
      await setImmediate()
      if (this.#stopped) return null
      step = steps.next()
    }
    return step.value
  }

  /** Stops at the next step. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.idle()
  }
}
