import type { AlertUuid, Company, Millis, OrganizationId, RunId } from '../domain/index.ts'

/** A hint that an alert waits to be investigated. The store has all that matters; losing a job costs time only. */
export interface Job {
  /** Derived from alert and attempt (and the number, of a run that undoes another): the same however often it is enqueued. */
  readonly run: RunId
  readonly alert: AlertUuid
  readonly organization: OrganizationId
  /** Normalised. */
  readonly type: string
  readonly attempt: number
  /** What it may share its process with. Absent: anything. */
  readonly company?: Exclude<Company, 'any'>
  /** It was handed over before. Whoever took it then may have died over it, before there was a run. */
  readonly again?: true
}

export interface ConsumeOptions {
  /** How many jobs of one organization may be in work at once. All organizations together may have a third more. */
  readonly concurrency: number
  /** How long the consumer waits before it takes a job that is to be alone. Absent: 15 seconds. */
  readonly aloneAfter?: Millis
}

/**
 * A taken job is gone from the queue, whatever becomes of it: what was not claimed in the store, the sweeper finds. A handler is not
 * to reject; if one does, the error goes to the `report` that the queue was opened with, and to nobody else.
 */
export type JobHandler = (job: Job) => Promise<void>

export interface Consumer {
  /** A job that this process has at hand, because it could not be done before: it is taken here, and before others of its organization, as soon as there is a slot. */
  offer(job: Job): void
  /** Takes no more jobs; resolves when those in work have ended. */
  stop(): Promise<void>
  /** Jobs in work now. */
  readonly active: number
}

/**
 * A queue for each (organization, alert type). Organizations are served in turn, and the types of one; slots are shared by organization. So
 * neither a flood of one nor one whose jobs take long starves the others. Within one queue jobs are taken in order. One conformance suite (test/conformance/queue) runs over both adapters.
 */
export interface Queue {
  /**
   * Enqueuing a job that waits already changes nothing. Never waits for a queue that is down.
   * @throws TocsinError `queue_unavailable`: some of the jobs may be in all the same
   */
  enqueue(jobs: readonly Job[]): Promise<void>
  /** For jobs that may have been lost: as `enqueue`, and it also replaces one that is stuck in the queue's memory. */
  enqueueAgain(jobs: readonly Job[]): Promise<void>
  consume(handler: JobHandler, options: ConsumeOptions): Consumer
  /** Forgets the queues that have been empty for long, so that a type once seen costs nothing for ever. Returns how many. */
  prune(): Promise<number>
  /** For readiness; throws when the queue does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
