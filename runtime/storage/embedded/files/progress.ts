import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from '../database/index.ts'
import type { Progress } from './mark.ts'

/** Reads the count of commits and numbers. The schema must be of this version. */
export function readProgress(database: DatabaseSync): Progress {
  const value = "(SELECT value FROM counters WHERE key = '#' || ?)"
  const row = database.prepare(`SELECT store, ${value} AS commits, ${value} AS numbers FROM identity`).get('commits', 'numbers')
  return { store: String(row?.['store']), commits: Number(row?.['commits']), numbers: Number(row?.['numbers']) }
}

/** Counts transactions that change something, within the transaction itself. */
export class ProgressCounter {
  readonly #sql: Sql
  readonly #changes: StatementSync
  readonly #commit: StatementSync
  readonly #numbers: StatementSync
  #seen: number
  #standing: Progress

  constructor(database: DatabaseSync, sql: Sql) {
    this.#sql = sql
    this.#changes = database.prepare('SELECT total_changes() AS changes')
    this.#commit = database.prepare("UPDATE counters SET value = ? WHERE key = '#commits' AND value = ?")
    this.#numbers = database.prepare("UPDATE counters SET value = ? WHERE key = '#numbers'")
    this.#seen = this.#now()
    this.#standing = readProgress(database)
  }

  /** The count after the last commit. */
  get standing(): Progress {
    return this.#standing
  }

  /**
   * Counts the current transaction. Call before the commit.
   * @returns the count after the commit; null if the transaction changed nothing; `behind` if it does not see the last commit
   */
  count(): Progress | 'behind' | null {
    if (this.#now() === this.#seen) return null
    const { store, commits, numbers } = this.#standing
    const next = { store, commits: commits + 1, numbers: numbers + this.#sql.numbersTaken }
    if (this.#commit.run(next.commits, commits).changes !== 1) return 'behind'
    if (next.numbers > numbers) this.#numbers.run(next.numbers)
    this.#seen = this.#now()
    return next
  }

  committed(next: Progress): void {
    this.#standing = next
    this.#sql.numbersTaken = 0
  }

  #now(): number {
    return Number(this.#changes.get()?.['changes'])
  }
}

/**
 * Raises every counter, and the start of future counters, by `by`. The skipped numbers may have been given in
 * commits that this store lacks.
 */
export function raiseNumbers(database: DatabaseSync, by: number): void {
  database.exec('BEGIN IMMEDIATE')
  database.prepare("UPDATE counters SET value = value + iif(key = '#commits', 1, ?)").run(by)
  database.prepare('UPDATE identity SET floor = floor + ?').run(by)
  database.exec('COMMIT')
}

/**
 * Raises the count of commits to that of the mark, after a person accepted the loss. So the next start no
 * longer misses the lost commits.
 */
export function setCommits(database: DatabaseSync, commits: number): void {
  database.prepare("UPDATE counters SET value = max(value, ?) WHERE key = '#commits'").run(commits)
}
