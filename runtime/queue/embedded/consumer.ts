import type { Clock } from '../../domain/index.ts'
import { inLane, laneOf } from '../../fairness/index.ts'
import { Admission } from '../admission.ts'
import type { Admitted } from '../fair-job-queue.ts'
import type { ConsumeOptions, Consumer, Job, JobHandler } from '../port.ts'
import type { Report } from '../report.ts'

export interface ConsumerParts {
  readonly clock: Clock
  readonly report: Report
  /** Puts a job back into the queue, for all consumers of the process. */
  readonly offer: (job: Job) => void
  /** Called when a job has ended and when the consumer stops. */
  readonly onRoom: () => void
}

/** A handler and its slots. The queue gives it jobs; it does not fetch them. */
export class EmbeddedConsumer implements Consumer {
  readonly admission: Admission
  readonly #handler: JobHandler
  readonly #parts: ConsumerParts
  readonly #idle = Promise.withResolvers<void>()
  #active = 0
  #stopped = false

  constructor(handler: JobHandler, options: ConsumeOptions, parts: ConsumerParts) {
    this.#handler = handler
    this.#parts = parts
    this.admission = new Admission(options, parts.clock, parts.onRoom)
  }

  get active(): number {
    return this.#active
  }

  /** Whether it has stopped and no job runs, so it may be removed. */
  get done(): boolean {
    return this.#stopped && this.#active === 0
  }

  offer(job: Job): void {
    if (!this.#stopped) this.#parts.offer(job)
  }

  begin(admitted: Admitted): void {
    this.#active++
    void this.#work(admitted)
  }

  stop(): Promise<void> {
    this.#stopped = true
    this.admission.stop()
    if (this.done) this.#idle.resolve()
    this.#parts.onRoom()
    return this.#idle.promise
  }

  async #work({ job, release }: Admitted): Promise<void> {
    try {
      if (job.company === 'none') await this.admission.solitude()
      // The store of this process gives lanes their turns.
      await inLane(laneOf(job.organization, job.type), () => this.#handler(job))
    } catch (error) {
      this.#parts.report(error)
    } finally {
      this.#active--
      release()
      if (this.done) this.#idle.resolve()
      this.#parts.onRoom()
    }
  }
}
