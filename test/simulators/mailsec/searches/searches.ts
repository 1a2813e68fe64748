import type { SearchStatus } from '../vocabulary.ts'
import type { Term } from './search-language.ts'

/** After how many looks at a job it goes on to its next state: the jobs have no clock, so that a test sees the same each time. */
export interface SearchPace {
  readonly pending: number
  readonly running: number
  /** Looks at the results before they expire. */
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

  /** The next search that is started ends as failed. */
  failNext(): void {
    this.#failing += 1
  }

  /** One that somebody started before, and that is done. */
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

  /** @param turning a further page of results: no look at the job */
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
