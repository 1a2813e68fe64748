import { type Company, companies, type RunId } from '../domain/index.ts'
import { FairQueue, Fifo, laneOf, type Release } from '../fairness/index.ts'
import type { Admission, Share } from './admission.ts'
import { nextLane } from './next-lane.ts'
import type { Job } from './port.ts'

interface Lane {
  readonly key: string
  readonly share: Share
  readonly jobs: Fifo<Job>
}

/** A job with the slots that were taken for it. */
export interface Admitted {
  readonly job: Job
  readonly release: Release
}

/** Returns under which names a job has its slots: its organization, and its lane. */
export function shareOfJob({ organization, type }: Job): Share {
  return { owner: organization, lane: laneOf(organization, type) }
}

/**
 * The waiting jobs, in one lane for each organization and type. Organizations take turns, and so do the types
 * of one organization. An empty lane is removed at once.
 */
export class FairJobQueue {
  readonly #lanes = new Map<string, Lane>()
  /** Every lane that has jobs, once, under its organization. */
  readonly #waiting = new Map<Company, FairQueue<Lane>>(companies.map((company) => [company, new FairQueue()]))
  readonly #runs = new Set<RunId>()
  readonly #shareOf: (job: Job) => Share

  /** @param shareOf returns the names under which a job has its slots; absent: its organization, and its lane */
  constructor(shareOf: (job: Job) => Share = shareOfJob) {
    this.#shareOf = shareOf
  }

  /** How many jobs wait. */
  get size(): number {
    return this.#runs.size
  }

  /** Adding a job that already waits changes nothing. */
  add(job: Job): void {
    if (this.#runs.has(job.run)) return
    this.#runs.add(job.run)
    const company = job.company ?? 'any'
    const share = this.#shareOf(job)
    const key = `${company} ${share.lane}`
    const standing = this.#lanes.get(key)
    if (standing) return standing.jobs.push(job)
    const lane = { key, share, jobs: new Fifo<Job>() }
    lane.jobs.push(job)
    this.#lanes.set(key, lane)
    this.#waiting.get(company)?.push(share.owner, lane)
  }

  /** Takes the first job of the next lane whose jobs may start now. Undefined if there is none. */
  take(admission: Admission): Admitted | undefined {
    for (const [company, waiting] of this.#waiting) {
      const lane = nextLane(waiting, company, admission)
      const job = lane?.jobs.shift()
      if (!lane || !job) continue
      this.#runs.delete(job.run)
      if (lane.jobs.size > 0) waiting.push(lane.share.owner, lane)
      else this.#lanes.delete(lane.key)
      return { job, release: admission.enter(company, lane.share) }
    }
    return undefined
  }

  clear(): void {
    this.#lanes.clear()
    for (const company of companies) this.#waiting.set(company, new FairQueue())
    this.#runs.clear()
  }
}
