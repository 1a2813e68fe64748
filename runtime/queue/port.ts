import type { AlertUuid, Company, Millis, OrganizationId, RunId } from '../domain/index.ts'
import type { Arrivals } from '../fairness/index.ts'

/** A hint that an alert waits for a run. The store has everything that matters, so a lost job costs only time. */
export interface Job {
  /**
   * Derived from the alert and the attempt (for an undo, also from its number). So the job keeps its id
   * however often it is enqueued.
   */
  readonly run: RunId
  readonly alert: AlertUuid
  readonly organization: OrganizationId
  /** Normalised. */
  readonly type: string
  readonly attempt: number
  /** Which other runs may run beside it in its process. Absent: any. */
  readonly company?: Exclude<Company, 'any'>
  /** Set if the job was enqueued before. A process may have taken it and died before the run started. */
  readonly again?: true
  /** What another process gave together with the job. It never is in a queue, so only the first handler of the job sees it. */
  readonly sealed?: string
}

/** Returns what to give with a job, sealed: whoever sees the queue's traffic must learn nothing from it. Undefined: nothing. */
export type Sealed = (job: Job) => string | undefined

export interface ConsumeOptions {
  /**
   * How many jobs of one organization may run at once. All organizations together may have a third more, and first
   * jobs of lanes an eighth more.
   */
  readonly concurrency: number
  /**
   * How long the consumer waits after its start before it takes a job that needs to be alone, in
   * milliseconds. Absent: 15 seconds.
   */
  readonly aloneAfter?: Millis
  /** While many alerts arrive, an organization has fewer jobs at once: down to about a quarter of `concurrency`. Absent: always all. */
  readonly arrivals?: Arrivals
}

/**
 * Handles one job. A job that was taken has left the queue, whatever happens to it. If its run was not
 * claimed in the store, the sweeper finds it. A handler must not reject; if it does, the error goes only to
 * the `report` function that the queue was opened with.
 */
export type JobHandler = (job: Job) => Promise<void>

export interface Consumer {
  /**
   * Puts back a job that this process took but could not do. This consumer takes it as soon as there is a
   * slot, before other jobs of its organization.
   */
  offer(job: Job): void
  /** Takes no more jobs. Resolves when the running jobs have ended. */
  stop(): Promise<void>
  /** How many jobs are running. */
  readonly active: number
}

/**
 * The queue of jobs, with one lane for each organization and alert type. Organizations take turns, and so do
 * the types of one organization. Organizations share the slots, and a lane may begin its first job beside a flood of
 * its organization. So neither a flood of jobs nor slow jobs of one lane delay the others for long. Jobs of one
 * lane are taken in the order in which they were enqueued. One conformance suite (test/conformance/queue) tests both
 * adapters: embedded and BullMQ.
 */
export interface Queue {
  /**
   * Enqueues new jobs. Enqueuing a job that already waits changes nothing. A free consumer of this process may take a
   * job at once. Fails at once if a job is left and the queue is down.
   * @param sealed called for jobs that are given directly to another process
   * @throws TocsinError `queue_unavailable`; some of the jobs may be enqueued anyway
   */
  enqueue(jobs: readonly Job[], sealed?: Sealed): Promise<void>
  /**
   * Enqueues jobs that may have been lost. Like `enqueue`, but also replaces a job that a dead process took
   * and that the queue still remembers.
   * @throws TocsinError `queue_unavailable`; some of the jobs may be enqueued anyway
   */
  enqueueAgain(jobs: readonly Job[]): Promise<void>
  consume(handler: JobHandler, options: ConsumeOptions): Consumer
  /**
   * Forgets lanes that have been empty for ten minutes, so that old types take no memory, and jobs that a dead
   * process took ten minutes ago. Returns how many lanes.
   * @throws TocsinError `queue_unavailable`
   */
  prune(): Promise<number>
  /**
   * Checks that the queue answers. For readiness.
   * @throws TocsinError `queue_unavailable`
   */
  ping(): Promise<void>
  close(): Promise<void>
}
