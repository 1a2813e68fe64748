import type { Consumer, Job, JobHandler } from '../port.ts'
import type { Report } from '../report.ts'

/** A handler with a number of places for jobs in work. It is given jobs; it does not fetch them. */
export class EmbeddedConsumer implements Consumer {
  readonly #handler: JobHandler
  readonly #concurrency: number
  readonly #report: Report
  readonly #onRoom: () => void
  readonly #idle = Promise.withResolvers<void>()
  #active = 0
  #stopped = false

  /** @param onRoom called when a job has ended, and when the consumer stops */
  constructor(handler: JobHandler, concurrency: number, report: Report, onRoom: () => void) {
    this.#handler = handler
    this.#concurrency = concurrency
    this.#report = report
    this.#onRoom = onRoom
  }

  get active(): number {
    return this.#active
  }

  /** Stopped, and nothing in work: it may be forgotten. */
  get done(): boolean {
    return this.#stopped && this.#active === 0
  }

  get hasRoom(): boolean {
    return !this.#stopped && this.#active < this.#concurrency
  }

  begin(job: Job): void {
    this.#active++
    void this.#work(job)
  }

  stop(): Promise<void> {
    this.#stopped = true
    if (this.done) this.#idle.resolve()
    this.#onRoom()
    return this.#idle.promise
  }

  async #work(job: Job): Promise<void> {
    try {
      await this.#handler(job)
    } catch (error) {
      this.#report(error)
    } finally {
      this.#active--
      if (this.done) this.#idle.resolve()
      this.#onRoom()
    }
  }
}
