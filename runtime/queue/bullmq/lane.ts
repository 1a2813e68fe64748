import { type Job as BullJob, ErrorCode, Job as TakenJob, type Worker } from 'bullmq'
import type { Millis } from '../../domain/index.ts'
import { noLock } from './bull.ts'

/** One queue as a consumer sees it. */
export class Lane {
  readonly #worker: Worker
  /** In the ring: its turn will come. */
  queued = false
  /** Takes under way. */
  takers = 0
  /** Something may be there that a take under way did not see. */
  woken = false
  /** When it was last woken. */
  usedAt: Millis = 0

  constructor(worker: Worker) {
    this.#worker = worker
  }

  /** Fetches the first job; null when there is none. */
  async fetch(): Promise<BullJob | null> {
    this.woken = false
    return (await this.#worker.getNextJob(noLock, { block: false })) ?? null
  }

  /**
   * Removes a fetched job from the queue. Fetches the next one in the same round trip if asked to; null when there is none. A job
   * that is gone already was replaced, or Redis was flushed: all the same to whoever has it in hand.
   */
  async settle(job: BullJob, fetchNext: boolean): Promise<BullJob | null> {
    if (fetchNext) this.woken = false
    try {
      const next: unknown = await job.moveToCompleted(null, noLock, fetchNext)
      return Array.isArray(next) && next[0] ? TakenJob.fromJSON(this.#worker, next[0], next[1]) : null
    } catch (error) {
      this.woken = true
      if (isGone(error)) return null
      throw error
    }
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === ErrorCode.JobNotExist || error.code === ErrorCode.JobNotInState
}
