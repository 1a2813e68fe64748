import { TocsinError } from '../errors/index.ts'

/**
 * Units of work, the cost of an evaluation. A part of a rule, a part of a path and an item cost a few units, eight characters about one. The
 * count depends only on the input. So an evaluation ends the same way on a busy machine and in a replay. A unit takes at most about ten
 * nanoseconds on a machine of 2020.
 */
export type Work = number

/** The limit for one evaluation: 20 milliseconds at the worst, usually far less. */
export const mostWork: Work = 2_000_000

/** The limit for one evaluation of constants during lint, a fifth of a millisecond. If it takes more, lint does not use the result. */
export const mostFolded: Work = 20_000

/** A work budget for several evaluations together, such as all those of a run. */
export class WorkBudget {
  readonly limit: Work
  readonly #outer: WorkBudget | null
  #spent: Work = 0

  /** @param outer a budget that contains this one. It is charged, too, and must also have enough left */
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

  /** The limit of the budget that will run out first: this one or an outer one. */
  get nearest(): Work {
    return this.#outer && this.#outer.left < this.limit - this.#spent ? this.#outer.nearest : this.limit
  }

  /** Counts what an evaluation took. */
  spend(work: Work): void {
    this.#spent += work
    this.#outer?.spend(work)
  }
}

/** An evaluation has used up its work units. It carries the places that were being evaluated, innermost first. */
export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded'
  readonly #places: string[] = []

  constructor() {
    super('takes too much work')
  }

  /** Adds the next outer place: an operator, a filter or an item of a loop. */
  within(place: string): this {
    // A few places are enough for the message.
    if (this.#places.length < mostPlaces) this.#places.push(place)
    return this
  }

  get reached(): string {
    return this.#places.length === 0 ? '' : `; it stopped in ${this.#places.join(', in ')}`
  }
}

const mostPlaces = 6

/** Counts the work of one evaluation. */
export class Meter {
  readonly #limit: Work
  readonly #together: WorkBudget | null
  #left: Work

  /** @param together the budget that this evaluation is charged to. Call `end` to charge it */
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

  /** @throws WorkExceeded if less work is left */
  charge(work: Work): void {
    this.#left -= work
    if (this.#left < 0) throw new WorkExceeded()
  }

  /** Charges the work of this evaluation to the shared budget. */
  end(): void {
    this.#together?.spend(this.spent)
  }

  /** The error for an exceeded limit. @param shown the name of what was evaluated, for the message */
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
