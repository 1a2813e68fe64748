import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Millis, OrganizationId, Scope } from '../../../domain/index.ts'
import { pageCharacters } from '../../page-size.ts'

export type Row = Record<string, SQLOutputValue>

/** Prepared statements over one connection, each compiled once; and the time of the batch that is under way. */
export class Sql {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Store time: the owner's clock when the batch was sent. */
  now: Millis = 0
  /** How many numbers were taken that the count of the store does not include yet. */
  numbersTaken = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** Returns how many rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  /** Inserts one row; returns its row id. */
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

  /** The first rows that fit into a page. The statement must ask for one more than `limit`. */
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

/** Owner columns hold '' where a thing is shared, so that they can be part of a key. */
export function ownerOf(organization: OrganizationId | null): string {
  return organization ?? ''
}

/** A condition on an organization column, and its parameter: null stands for every organization. */
export function scopeFilter(column: string): string {
  return `(?1 IS NULL OR ${column} IN (SELECT value FROM json_each(?1)))`
}

export function scopeParameter(scope: Scope): string | null {
  return scope.organizations === 'all' ? null : JSON.stringify(scope.organizations)
}

/** The parameter of a filter that may be absent: null, and then `?n IS NULL` lets everything through. */
export function listParameter(values: readonly (string | number)[] | undefined): string | null {
  return values ? JSON.stringify(values) : null
}

/** Whether a pause holds any row: nearly always none does, and looking for those that stand no more costs far more than this. */
export function holdsAny(sql: Sql, table: 'alert_states' | 'runs'): boolean {
  return sql.get(`SELECT 1 FROM ${table} WHERE held_by IS NOT NULL LIMIT 1`) !== undefined
}

/**
 * The pauses that rows are held by and that stand no more: what holds is looked for one by one along its index, however many rows one pause
 * holds.
 */
export function heldByWhatIsOver(table: 'alert_states' | 'runs'): string {
  return `WITH RECURSIVE holding (pause) AS (
      SELECT min(held_by) FROM ${table} WHERE held_by IS NOT NULL
      UNION ALL SELECT (SELECT min(held_by) FROM ${table} WHERE held_by > pause) FROM holding WHERE pause IS NOT NULL
    ) SELECT pause FROM holding WHERE pause IS NOT NULL AND pause NOT IN (SELECT id FROM pauses WHERE standing = 1)`
}
