/** The queue of one process. It keeps its jobs in memory. */

import type { Clock } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { FairJobQueue } from '../fair-job-queue.ts'
import type { ConsumeOptions, Consumer, Job, JobHandler, Queue } from '../port.ts'
import { type Report, warn } from '../report.ts'
import { EmbeddedConsumer } from './consumer.ts'

/** The queue of one process. It is in memory and not durable, because the store is the record. */
class EmbeddedQueue implements Queue {
  readonly #clock: Clock
  readonly #report: Report
  readonly #waiting = new FairJobQueue()
  #consumers: EmbeddedConsumer[] = []
  /** The index of the consumer that gets the next job. */
  #turn = 0
  #dispatchDue = false
  #closed = false

  constructor(clock: Clock, report: Report) {
    this.#clock = clock
    this.#report = report
  }

  async enqueue(jobs: readonly Job[]): Promise<void> {
    if (this.#closed) throw new TocsinError('queue_unavailable', 'The queue of this process is closed.')
    for (const job of jobs) this.#waiting.add(job)
    this.#dispatchSoon()
  }

  /** Same as `enqueue`: this queue forgets a job as soon as it is taken. */
  enqueueAgain(jobs: readonly Job[]): Promise<void> {
    return this.enqueue(jobs)
  }

  consume(handler: JobHandler, options: ConsumeOptions): Consumer {
    const onRoom = (): void => {
      if (consumer.done) this.#consumers = this.#consumers.filter((other) => other !== consumer)
      this.#dispatchSoon()
    }
    const offer = (job: Job): void => {
      this.#waiting.add(job)
      this.#dispatchSoon()
    }
    const consumer = new EmbeddedConsumer(handler, options, { clock: this.#clock, report: this.#report, offer, onRoom })
    this.#consumers.push(consumer)
    this.#dispatchSoon()
    return consumer
  }

  /** Returns 0: a lane is removed when its last job is taken, so there is never an empty one. */
  async prune(): Promise<number> {
    return 0
  }

  async ping(): Promise<void> {
    if (this.#closed) throw new TocsinError('queue_unavailable', 'The queue of this process is closed.')
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#waiting.clear()
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()))
  }

  /**
   * Dispatches in a microtask, after the enqueuer's call. So all jobs that are enqueued together share the
   * slots fairly.
   */
  #dispatchSoon(): void {
    if (this.#dispatchDue) return
    this.#dispatchDue = true
    queueMicrotask(() => {
      this.#dispatchDue = false
      this.#dispatch()
    })
  }

  #dispatch(): void {
    while (this.#giveOne());
  }

  /** Gives a job to the next consumer that may have one. Returns false if there was none. */
  #giveOne(): boolean {
    for (let step = 0; step < this.#consumers.length; step++) {
      const consumer = this.#consumers[(this.#turn + step) % this.#consumers.length]
      const admitted = consumer && this.#waiting.take(consumer.admission)
      if (!consumer || !admitted) continue
      this.#turn = (this.#turn + step + 1) % this.#consumers.length
      consumer.begin(admitted)
      return true
    }
    return false
  }
}

/**
 * Opens the queue of a single process.
 * @param report receives the errors of handlers that reject
 */
export function openEmbeddedQueue(clock: Clock, report: Report = warn): Queue {
  return new EmbeddedQueue(clock, report)
}
