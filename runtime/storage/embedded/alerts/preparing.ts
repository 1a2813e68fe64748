import { deathsPreparing, type PreparingMark } from '../../../domain/index.ts'
import type { Sql } from '../database/index.ts'
import { sessionState } from '../runs/sessions.ts'

export function markOf(column: unknown): PreparingMark | null {
  return typeof column === 'string' ? (JSON.parse(column) as PreparingMark) : null
}

/**
 * Returns how often a process has died while it prepared this attempt of an alert.
 * @param column the alert's column `preparing`
 */
export function deathsBefore(sql: Sql, column: unknown, attempt: number): number {
  const mark = markOf(column)
  return deathsPreparing(mark, attempt, mark?.session ? sessionState(sql, mark.session) : null)
}
