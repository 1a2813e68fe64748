import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type Millis, type OrganizationId, type Scope, saysAll } from '../../../domain/index.ts'
import { pageCharacters } from '../../page-size.ts'

export type Row = Record<string, SQLOutputValue>

/** Prepared statements of one connection, each compiled once, and the time of the current batch. */
export class Sql {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Store time: the clock of the process when it sent the batch. */
  now: Millis = 0
  /** How many numbers were taken that `#numbers` does not count yet. */
  numbersTaken = 0

  constructor(database: DatabaseSync) {
    this.#database = database
    database.function('case_says', { deterministic: true }, caseSays())
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** Runs a statement. Returns how many rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  /** Inserts one row. Returns its row id. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid)
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values)
  }

  allNamed(sql: string, values: Record<string, SQLInputValue>): Row[] {
    return this.#statement(sql).all(values)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values)
  }

  /** Returns the first rows that fit into a page. The statement must ask for one row more than `limit`. */
  page(limit: number, sql: string, ...values: SQLInputValue[]): { readonly rows: readonly Row[]; readonly more: boolean } {
    const rows: Row[] = []
    let characters = 0
    for (const row of this.#statement(sql).iterate(...values)) {
      for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 8
      if (rows.length === limit || (rows.length > 0 && characters > pageCharacters)) return { rows, more: true }
      rows.push(row)
    }
    return { rows, more: false }
  }
}

/**
 * Makes the function `case_says(words, id, title, summary)`, which tells whether a case says all words. They are folded, as JSON. SQLite's
 * own functions fold ASCII letters only.
 */
function caseSays() {
  let [json, words]: [SQLOutputValue, readonly string[]] = ['[]', []]
  return (wanted: SQLOutputValue, id: SQLOutputValue, title: SQLOutputValue, summary: SQLOutputValue): number => {
    if (wanted !== json) {
      words = JSON.parse(String(wanted)) as string[]
      json = wanted
    }
    return Number(saysAll(words, [String(id), String(title), String(summary ?? '')]))
  }
}

/** Returns the value for an owner column. It is '' for shared things, because a key column cannot be NULL. */
export function ownerOf(organization: OrganizationId | null): string {
  return organization ?? ''
}

/**
 * Returns a condition on an organization column. `?1` is its parameter (`scopeParameter`): null means every
 * organization.
 */
export function scopeFilter(column: string): string {
  return `(?1 IS NULL OR ${column} IN (SELECT value FROM json_each(?1)))`
}

/** Returns the parameter of `scopeFilter`: the organizations as JSON, or null for all. */
export function scopeParameter(scope: Scope): string | null {
  return scope.organizations === 'all' ? null : JSON.stringify(scope.organizations)
}

/**
 * Returns the parameter of a filter. It is null if the filter is absent, and then `?n IS NULL` lets every row
 * through.
 */
export function listParameter(values: readonly (string | number)[] | undefined): string | null {
  return values ? JSON.stringify(values) : null
}

/**
 * Returns the condition with which a page begins after a position. It is part of the statement, and not `?n IS NULL OR …`: otherwise SQLite
 * would read all rows before the page.
 * @param condition with two parameters `?n`
 * @param after null: the first page. Then the parameters are null
 */
export function beginning(condition: string, after: unknown): string {
  return after ? condition : (condition.match(/\?\d+/g) ?? []).map((parameter) => `${parameter} IS NULL`).join(' AND ')
}

/**
 * Returns whether a pause holds any row. Usually none does, and looking for ended pauses costs far more than
 * this check.
 */
export function holdsAny(sql: Sql, table: 'alert_states' | 'runs'): boolean {
  return sql.get(`SELECT 1 FROM ${table} WHERE held_by IS NOT NULL LIMIT 1`) !== undefined
}

/**
 * Returns a query for the pauses that hold rows although they have ended. It steps through the index from
 * pause to pause, so its cost does not depend on how many rows a pause holds.
 */
export function heldByWhatIsOver(table: 'alert_states' | 'runs'): string {
  return `WITH RECURSIVE holding (pause) AS (
      SELECT min(held_by) FROM ${table} WHERE held_by IS NOT NULL
      UNION ALL SELECT (SELECT min(held_by) FROM ${table} WHERE held_by > pause) FROM holding WHERE pause IS NOT NULL
    ) SELECT pause FROM holding WHERE pause IS NOT NULL AND pause NOT IN (SELECT id FROM pauses WHERE standing = 1)`
}
