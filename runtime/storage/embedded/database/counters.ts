import type { Sql } from './sql.ts'

/**
 * Takes `count` consecutive numbers of a counter and returns the first. A new counter starts at 1. In a
 * copied store, or after an accepted loss, it starts higher, so that no lost number is given twice.
 */
export function takeNumbers(sql: Sql, key: string, count: number): number {
  const row = sql.get(
    `INSERT INTO counters (key, value) VALUES (?1, (SELECT floor FROM identity) + ?2)
     ON CONFLICT (key) DO UPDATE SET value = value + ?2 RETURNING value`,
    key,
    count,
  )
  sql.numbersTaken += count
  return Number(row?.['value']) - count + 1
}
