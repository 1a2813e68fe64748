import type { Sql } from './sql.ts'

/**
 * Takes `count` consecutive numbers of a counter and returns the first. A new counter starts at 1. In a
 * copied store, or after an accepted loss, it starts higher, so that no lost number is given twice.
 */
export function takeNumbers(sql: Sql, key: string, count: number): number {
  // Not RETURNING: SQLite makes a temporary table for it, which costs more than both statements.
  const standing = sql.get('SELECT value FROM counters WHERE key = ?', key)?.['value'] ?? sql.get('SELECT floor FROM identity')?.['floor']
  const before = Number(standing)
  sql.run('INSERT INTO counters (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2', key, before + count)
  sql.numbersTaken += count
  return before + 1
}
