import type { SearchStatus } from '../vocabulary.ts'
import type { Term } from './search-language.ts'

/** After how many reads a job changes to its next state. Jobs have no clock, so tests always see the same. */
export interface SearchPace {
  readonly pending: number
  readonly running: number
  /** Reads of the results before they expire. */
  readonly done: number
}

export interface Job {
  readonly terms: readonly Term[]
  readonly after: number
  readonly before: number
  readonly fails: boolean
  looks: number
}

/** The message searches that were started. */
export class Searches {
  readonly #jobs = new Map<string, Job>()
  #failing = 0
  pace: SearchPace

  constructor(pace: SearchPace) {
    this.pace = pace
  }

  /** Makes the next search fail. */
  failNext(): void {
    this.#failing += 1
  }

  /** Makes a search that is already done. */
  startDone(terms: readonly Term[]): string {
    const id = this.start(terms, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    const job = this.#jobs.get(id)
    if (job) job.looks = this.pace.pending + this.pace.running
    return id
  }

  start(terms: readonly Term[], after: number, before: number): string {
    const id = `srch.1.${Buffer.from(`search/${this.#jobs.size + 1}+`).toString('base64')}`
    const fails = this.#failing > 0
    if (fails) this.#failing -= 1
    this.#jobs.set(id, { terms, after, before, fails, looks: 0 })
    return id
  }

  /** @param turning true for another page of the results, which does not count as a read of the job */
  look(id: string, turning: boolean): { readonly job: Job; readonly status: SearchStatus | 'EXPIRED' } | null {
    const job = this.#jobs.get(id)
    if (!job) return null
    if (!turning) job.looks += 1
    const { pending, running, done } = this.pace
    if (job.looks <= pending) return { job, status: 'PENDING' }
    if (job.looks <= pending + running) return { job, status: 'RUNNING' }
    if (job.fails) return { job, status: 'FAILED' }
    return { job, status: job.looks <= pending + running + done ? 'DONE' : 'EXPIRED' }
  }
}
