import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isTocsinError, messageOf } from '../../../errors/index.ts'
import { systemCode } from '../../../files/index.ts'
import { openTables, type Tables } from '../assemble.ts'
import type { Sql } from '../database/index.ts'
import { isDamage } from '../files/index.ts'
import type { Batch, Call, Failure, Reply } from './messages.ts'

/** SQLite result codes that mean a bug in Tocsin (constraint, misuse), not a failing disk. */
const defects = new Set([1, 19, 20, 21, 25])

export function failureOf(error: unknown): Failure {
  if (isTocsinError(error)) {
    const fault = systemCode(error.cause) === null ? {} : { fault: 'disk' as const }
    return { code: error.code, message: error.message, places: error.places, remedy: error.remedy, ...fault }
  }
  const code = (error as { errcode?: number }).errcode
  const lost = code !== undefined && !defects.has(code & 0xff)
  if (!lost) return { code: 'internal', message: messageOf(error), places: [] }
  return { code: 'store_unavailable', message: `The store: ${messageOf(error)}.`, places: [], fault: isDamage(error) ? 'damaged' : 'disk' }
}

export interface Hooks {
  /** Called within the transaction if no call failed. The commit may still fail. */
  readonly executed?: (replies: readonly Reply[]) => void
  /** Called within the transaction, after its calls. */
  readonly beforeCommit?: () => void
  /** Called before any call is answered. If it throws, all calls of the batch fail with that error. */
  readonly afterCommit?: () => void
}

/** Runs batches of calls on one connection. Each batch is one transaction. */
export class Transactions {
  readonly #database: DatabaseSync
  readonly #sql: Sql
  readonly #tables: Tables
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #rollback: StatementSync
  readonly #savepoint: StatementSync
  readonly #release: StatementSync
  readonly #undo: StatementSync

  constructor(database: DatabaseSync, sql: Sql, begin: 'BEGIN' | 'BEGIN IMMEDIATE') {
    this.#database = database
    this.#sql = sql
    this.#tables = openTables(sql)
    this.#begin = database.prepare(begin)
    this.#commit = database.prepare('COMMIT')
    this.#rollback = database.prepare('ROLLBACK')
    this.#savepoint = database.prepare('SAVEPOINT call')
    this.#release = database.prepare('RELEASE call')
    this.#undo = database.prepare('ROLLBACK TO call')
  }

  perform({ now, calls }: Batch, { executed, beforeCommit, afterCommit }: Hooks = {}): readonly Reply[] {
    this.#sql.now = now
    try {
      const together = this.#together(calls)
      if (together) executed?.(together)
      const replies = together ?? this.#apart(calls)
      beforeCommit?.()
      this.#commit.run()
      afterCommit?.()
      return replies
    } catch (error) {
      this.#rollBack()
      const failure = failureOf(error)
      return calls.map(() => ({ failure }))
    }
  }

  #rollBack(): void {
    if (this.#database.isTransaction) this.#rollback.run()
  }

  /**
   * Runs the calls without savepoints, because almost no call fails. With a savepoint for each call, SQLite copies every page that the call changes
   * into a temporary file. Returns null, and has no effect, if a call failed.
   */
  #together(calls: readonly Call[]): readonly Reply[] | null {
    const { numbersTaken } = this.#sql
    this.#begin.run()
    try {
      return calls.map((call) => ({ value: this.#run(call) }))
    } catch (error) {
      // On a full disk, SQLite rolls back the whole transaction.
      if (!this.#database.isTransaction) throw error
      this.#rollBack()
      this.#sql.numbersTaken = numbersTaken
      return null
    }
  }

  /** Runs each call in a savepoint, so that a failure undoes only this call. */
  #apart(calls: readonly Call[]): readonly Reply[] {
    this.#begin.run()
    return calls.map((call) => this.#runApart(call))
  }

  #run({ aggregate, method, parameters }: Call): unknown {
    const table = this.#tables[aggregate as keyof Tables] as unknown as Record<string, (...parameters: readonly unknown[]) => unknown>
    return table[method]?.(...parameters)
  }

  #runApart(call: Call): Reply {
    this.#savepoint.run()
    try {
      const value = this.#run(call)
      this.#release.run()
      return { value }
    } catch (error) {
      // On a full disk, SQLite rolls back the whole transaction. Then the commit fails, and every call of the
      // batch fails too.
      if (this.#database.isTransaction) {
        this.#undo.run()
        this.#release.run()
      }
      return { failure: failureOf(error) }
    }
  }
}
