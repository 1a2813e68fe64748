import type { SQLInputValue } from 'node:sqlite'
import type { Sql } from './sql.ts'

/** Looking up more rows than this one by one takes longer than following the order of the list to the end of a page. */
export const mostFew = 5_000

/** A condition that has an index and may leave few rows of a list. */
export interface Narrowing {
  /** Returns a statement that selects the keys of the rows, by a parameter. */
  readonly keys: (parameter: string) => string
  /** The name of the parameter in the statement of the list. */
  readonly parameter: string
  readonly value: SQLInputValue
}

/** Returns the condition that leaves the fewest rows. Null if none leaves few. */
export function narrowest(sql: Sql, conditions: readonly Narrowing[]): Narrowing | null {
  let [found, fewest]: [Narrowing | null, number] = [null, mostFew + 1]
  for (const condition of conditions) {
    const row = sql.get(`SELECT count(*) AS count FROM (${condition.keys('?1')} LIMIT ?2)`, condition.value, fewest)
    const count = Number(row?.['count'])
    if (count < fewest) [found, fewest] = [condition, count]
  }
  return found
}

/** Returns what a list reads: the whole table, or first the keys of the few rows that a condition leaves. */
export function fromFew(table: string, key: string, narrowed: Narrowing | null): string {
  return narrowed ? `(${narrowed.keys(narrowed.parameter)}) few CROSS JOIN ${table} ON ${table}.${key} = few.key` : table
}
