import { type Job as BullJob, Job as BullJobs, ErrorCode, type Worker } from 'bullmq'
import type { Connection } from '../../redis/index.ts'
import type { Job } from '../port.ts'
import { type Bull, noLock } from './bull.ts'
import { isJob } from './is-job.ts'

/** A job that was fetched. For BullMQ it is still active until `settle`. */
export interface FetchedJob {
  /** @throws Error if Redis evicted the job, or it was not written by this version */
  read(): Job
  /**
   * Removes the job from its queue. With `fetchNext`, also fetches the next one in the same round trip.
   * `none`: no job was fetched. `unknown`: the job was already gone (replaced, or Redis was flushed), so
   * nothing is known about a next one.
   */
  settle(fetchNext: boolean): Promise<FetchedJob | 'none' | 'unknown'>
}

/** One queue, as a consumer sees it. */
export interface JobSource {
  /** Fetches the first job. `none` if the queue is empty. */
  fetch(): Promise<FetchedJob | 'none'>
}

/**
 * A BullMQ queue, read by a worker without a loop.
 * @throws TocsinError `queue_unavailable` from every method
 */
export class BullSource implements JobSource {
  readonly #connection: Connection
  readonly #bull: Bull
  readonly #name: string
  #worker: Worker | null = null

  constructor(connection: Connection, bull: Bull, name: string) {
    this.#connection = connection
    this.#bull = bull
    this.#name = name
  }

  async fetch(): Promise<FetchedJob | 'none'> {
    return this.#connection.use(async () => {
      const worker = await this.#ready()
      const job = await worker.getNextJob(noLock, { block: false })
      return job ? this.#fetched(job, worker) : 'none'
    })
  }

  /** Waits until BullMQ is ready: a wake for the queue may arrive before that. */
  async #ready(): Promise<Worker> {
    await this.#bull.ready()
    this.#worker ??= this.#bull.worker(this.#name)
    return this.#worker
  }

  #fetched(job: BullJob, worker: Worker): FetchedJob {
    return { read: () => read(job), settle: (fetchNext) => this.#connection.use(() => this.#settle(job, worker, fetchNext)) }
  }

  async #settle(job: BullJob, worker: Worker, fetchNext: boolean): Promise<FetchedJob | 'none' | 'unknown'> {
    try {
      const next: unknown = await job.moveToCompleted(null, noLock, fetchNext)
      return Array.isArray(next) && next[0] ? this.#fetched(BullJobs.fromJSON(worker, next[0], next[1]), worker) : 'none'
    } catch (error) {
      if (isGone(error)) return 'unknown'
      throw error
    }
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === ErrorCode.JobNotExist || error.code === ErrorCode.JobNotInState
}

function read({ data, queueName, id }: BullJob<unknown>): Job {
  if (isJob(data)) return data
  throw new Error(`Queue ${queueName} had an entry that is not a job of this version: ${id}. It was dropped.`)
}
