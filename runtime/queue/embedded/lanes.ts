import type { RunId } from '../../domain/index.ts'
import { Fifo } from '../../fairness/index.ts'
import type { Job } from '../port.ts'

interface Lane {
  readonly key: string
  readonly jobs: Fifo<Job>
}

/** The waiting jobs: a queue for each (organization, type), taken from in turn. A lane that runs empty is forgotten at once. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  /** Every lane that has jobs, once; its turn comes when it is first. */
  readonly #ring = new Fifo<Lane>()
  readonly #waiting = new Set<RunId>()

  /** A job that waits already changes nothing. */
  add(job: Job): void {
    if (this.#waiting.has(job.run)) return
    this.#waiting.add(job.run)
    // An organization id has no space, so two pairs never have the same key.
    const key = `${job.organization} ${job.type}`
    const lane = this.#lanes.get(key) ?? this.#open(key)
    lane.jobs.push(job)
  }

  /** The first job of the lane whose turn it is. */
  take(): Job | undefined {
    const lane = this.#ring.shift()
    const job = lane?.jobs.shift()
    if (!lane || !job) return undefined
    this.#waiting.delete(job.run)
    if (lane.jobs.size > 0) this.#ring.push(lane)
    else this.#lanes.delete(lane.key)
    return job
  }

  clear(): void {
    this.#lanes.clear()
    this.#ring.clear()
    this.#waiting.clear()
  }

  #open(key: string): Lane {
    const lane: Lane = { key, jobs: new Fifo() }
    this.#lanes.set(key, lane)
    this.#ring.push(lane)
    return lane
  }
}
