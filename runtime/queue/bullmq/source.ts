import { type Job as BullJob, Job as BullJobs, ErrorCode, type Worker } from 'bullmq'
import type { Connection } from '../../redis/index.ts'
import type { Job } from '../port.ts'
import { type Bull, noLock } from './bull.ts'

/** A job that was fetched. In Redis it still counts as being worked on. */
export interface FetchedJob {
  /** @throws Error if it is not a job of this version, or Redis evicted it */
  read(): Job
  /**
   * Removes the job from its queue. `fetchNext` also fetches the next one in the same round trip. `unknown`: the job was already gone (replaced, or
   * Redis was flushed), so there is no answer about the next one.
   */
  settle(fetchNext: boolean): Promise<FetchedJob | 'none' | 'unknown'>
}

/** One queue, as a consumer sees it. */
export interface JobSource {
  /** Fetches the first job. */
  fetch(): Promise<FetchedJob | 'none'>
}

/** A queue in BullMQ, by a worker without a loop. Every failure is a TocsinError `queue_unavailable`. */
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

  /** A message about the queue may arrive before the connection is ready. */
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
  if (typeof data === 'object' && data !== null) {
    const { run, alert, organization, type, attempt } = data as Record<string, unknown>
    const texts = [run, alert, organization, type].every((value) => typeof value === 'string')
    if (texts && typeof attempt === 'number') return data as Job
  }
  throw new Error(`Queue ${queueName} held something that is not a job of this version: ${id}. It was dropped.`)
}
