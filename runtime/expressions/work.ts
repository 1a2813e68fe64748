import { TocsinError } from '../errors/index.ts'

/**
 * What evaluating costs is counted in units of work: a part of a rule, a part of a path and an item cost a few, eight characters about one.
 * The count depends on the input alone, so that an evaluation ends the same on a busy machine and in a replay. A unit takes at most about
 * ten nanoseconds on a machine of 2020.
 */
export type Work = number

/** What one evaluation may take: 20 milliseconds at the worst, usually far less. */
export const mostWork: Work = 2_000_000

/** What one evaluation may take where a playbook is only read: what takes more than a fifth of a millisecond is not found out. */
export const mostFolded: Work = 20_000

/** What evaluations may take together: all those of a run. */
export class WorkBudget {
  readonly limit: Work
  readonly #outer: WorkBudget | null
  #spent: Work = 0

  /** @param outer what these are part of: it has to have enough left, too */
  constructor(limit: Work, outer: WorkBudget | null = null) {
    this.limit = limit
    this.#outer = outer
  }

  get spent(): Work {
    return this.#spent
  }

  get left(): Work {
    return Math.max(Math.min(this.limit - this.#spent, this.#outer?.left ?? Number.POSITIVE_INFINITY), 0)
  }

  /** The limit that will be come to first. */
  get nearest(): Work {
    return this.#outer && this.#outer.left < this.limit - this.#spent ? this.#outer.nearest : this.limit
  }

  /** Counts what an evaluation took. */
  spend(work: Work): void {
    this.#spent += work
    this.#outer?.spend(work)
  }
}

/** An evaluation has taken what it may. Says how far it came, from the inside to the outside. */
export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded'
  readonly #places: string[] = []

  constructor() {
    super('takes too much work')
  }

  /** Adds a place around those that are known: an operator, a filter, an item of a loop. */
  within(place: string): this {
    // The outermost of very many say no more.
    if (this.#places.length < mostPlaces) this.#places.push(place)
    return this
  }

  get reached(): string {
    return this.#places.length === 0 ? '' : `; it had come to ${this.#places.join(', in ')}`
  }
}

const mostPlaces = 6

/** Counts the work of one evaluation. */
export class Meter {
  readonly #limit: Work
  readonly #together: WorkBudget | null
  #left: Work

  /** @param together what this evaluation is one of; it has to be told by `end` */
  constructor(together: WorkBudget | null = null, most: Work = mostWork) {
    this.#together = together
    this.#limit = Math.min(most, together?.left ?? most)
    this.#left = this.#limit
  }

  get spent(): Work {
    return this.#limit - Math.max(this.#left, 0)
  }

  get left(): Work {
    return Math.max(this.#left, 0)
  }

  /** @throws WorkExceeded when this is more than is left */
  charge(work: Work): void {
    this.#left -= work
    if (this.#left < 0) throw new WorkExceeded()
  }

  /** Tells the others what this evaluation took. */
  end(): void {
    this.#together?.spend(this.spent)
  }

  /** @param shown what was evaluated, as messages show it */
  failure(shown: string, error: WorkExceeded): TocsinError {
    const most = this.#limit.toLocaleString('en-US')
    const together = this.#together
    if (together && this.#limit < mostWork) {
      const all = together.nearest.toLocaleString('en-US')
      return new TocsinError(
        'run_evaluation_exceeded',
        `The run may take ${all} units of work, and ${shown} takes more than is left${error.reached}.`,
      )
    }
    return new TocsinError('evaluation_exceeded', `${shown} takes more than ${most} units of work${error.reached}.`)
  }
}
