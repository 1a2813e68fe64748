import { type Company, companies, type OrganizationId, type RunId } from '../domain/index.ts'
import { FairQueue, Fifo, laneOf, type Release } from '../fairness/index.ts'
import type { Admission } from './admission.ts'
import type { Job } from './port.ts'

interface Lane {
  readonly key: string
  readonly jobs: Fifo<Job>
}

/** A job with the slots that were taken for it. */
export interface Admitted {
  readonly job: Job
  readonly release: Release
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
  readonly #ownerOf: (organization: OrganizationId) => string

  /** @param ownerOf returns the name under which an organization has its slots; absent: its id */
  constructor(ownerOf: (organization: OrganizationId) => string = (organization) => organization) {
    this.#ownerOf = ownerOf
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
    const key = `${company} ${laneOf(job.organization, job.type)}`
    const standing = this.#lanes.get(key)
    if (standing) return standing.jobs.push(job)
    const lane = { key, jobs: new Fifo<Job>() }
    lane.jobs.push(job)
    this.#lanes.set(key, lane)
    this.#waiting.get(company)?.push(this.#ownerOf(job.organization), lane)
  }

  /** Takes the first job of the next lane whose jobs may start now. Undefined if there is none. */
  take(admission: Admission): Admitted | undefined {
    for (const [company, waiting] of this.#waiting) {
      const lane = waiting.shift((owner) => admission.may(company, owner))
      const job = lane?.jobs.shift()
      if (!lane || !job) continue
      this.#runs.delete(job.run)
      const owner = this.#ownerOf(job.organization)
      if (lane.jobs.size > 0) waiting.push(owner, lane)
      else this.#lanes.delete(lane.key)
      return { job, release: admission.enter(company, owner) }
    }
    return undefined
  }

  clear(): void {
    this.#lanes.clear()
    for (const company of companies) this.#waiting.set(company, new FairQueue())
    this.#runs.clear()
  }
}
