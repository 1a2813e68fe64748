import type { AlertUuid, Company, Millis, OrganizationId, RunId } from '../domain/index.ts'

/** A hint that an alert waits to be investigated. The store has all that matters; losing a job costs time only. */
export interface Job {
  /**
   * Derived from alert and attempt (for an undo, from its number too), so it is the same however often the job
   * is enqueued.
   */
  readonly run: RunId
  readonly alert: AlertUuid
  readonly organization: OrganizationId
  /** Normalised. */
  readonly type: string
  readonly attempt: number
  /** Which other runs may run beside it in its process. Absent: any. */
  readonly company?: Exclude<Company, 'any'>
  /** The job was handed over before. The process that took it may have died on it before the run began. */
  readonly again?: true
}

export interface ConsumeOptions {
  /** How many jobs of one organization may run at once. All organizations together may have a third more. */
  readonly concurrency: number
  /** How long the consumer waits after its start before it takes a job that needs to be alone. Absent: 15 seconds. */
  readonly aloneAfter?: Millis
}

/**
 * A job that was taken is gone from the queue, whatever happens to it. If it was not claimed in the store, the sweeper finds it. A handler must not
 * reject; if it does, the error goes only to the `report` that the queue was opened with.
 */
export type JobHandler = (job: Job) => Promise<void>

export interface Consumer {
  /** Offers a job that this process took before but could not do. As soon as there is a slot, it is taken here, before others of its organization. */
  offer(job: Job): void
  /** Takes no more jobs. Resolves when the running jobs have ended. */
  stop(): Promise<void>
  /** How many jobs run now. */
  readonly active: number
}

/**
 * A queue for each (organization, alert type). Organizations take turns, and so do the types of one organization. Organizations share the slots. So
 * neither a flood of jobs nor slow jobs of one organization starve the others. Within one queue, jobs are taken in order. One conformance suite
 * (test/conformance/queue) runs over both adapters.
 */
export interface Queue {
  /**
   * Enqueuing a job that already waits changes nothing. Never waits for a queue that is down.
   * @throws TocsinError `queue_unavailable`; some of the jobs may be enqueued nevertheless
   */
  enqueue(jobs: readonly Job[]): Promise<void>
  /** For jobs that may have been lost: like `enqueue`, but also replaces a job that is stuck in the queue's memory. */
  enqueueAgain(jobs: readonly Job[]): Promise<void>
  consume(handler: JobHandler, options: ConsumeOptions): Consumer
  /** Forgets queues that have been empty for long, so that old types cost nothing. Returns how many. */
  prune(): Promise<number>
  /** For readiness; throws when the queue does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
