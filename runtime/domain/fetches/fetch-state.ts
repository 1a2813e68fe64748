import type { Millis } from '../seams.ts'

/** Why an attempt did not fetch everything. */
export interface FetchFailure {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
}

/** One call of a fetch's skill, and what became of its answer. */
export interface FetchAttempt {
  readonly endedAt: Millis
  /** The time that it asked for. */
  readonly since: Millis
  readonly until: Millis
  /** Items in the answer. */
  readonly found: number
  /** Items that became new alerts. */
  readonly fresh: number
  /** Items that were fetched before, and whose alert is the same. */
  readonly repeated: number
  /** Items with the id of an earlier alert that says something else. The alert stays as it was. */
  readonly changed: number
  /** Null: everything was fetched. */
  readonly failure: FetchFailure | null
}

/** How far a fetch has come. */
export interface FetchState {
  /** Everything before this time was fetched. By the clock of the process that fetched it. */
  readonly since: Millis
  /** Attempts that failed after the last one that did not. */
  readonly failures: number
  /** How often an answer was too large since then. Each time, the next attempt asks for half of the time. */
  readonly halvings: number
  readonly last: FetchAttempt | null
  /** When the last attempt ended that fetched everything. */
  readonly fetchedAt: Millis | null
}

/** The state of a fetch that has fetched nothing yet. */
export function newFetchState(since: Millis): FetchState {
  return { since, failures: 0, halvings: 0, last: null, fetchedAt: null }
}
