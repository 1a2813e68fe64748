import type { Sql } from './sql.ts'

/** Takes `count` consecutive numbers of a counter and returns the first; counters begin at 1. */
export function takeNumbers(sql: Sql, key: string, count: number): number {
  const row = sql.get(
    'INSERT INTO counters (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = value + excluded.value RETURNING value',
    key,
    count,
  )
  return Number(row?.['value']) - count + 1
}
