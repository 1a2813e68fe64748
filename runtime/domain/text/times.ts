import type { Millis } from '../seams.ts'

/** Returns a time as messages show it: `2026-01-31 12:00:05 UTC`. A time that `Date` cannot hold stays a number. */
export function timeText(at: Millis): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? `${at}` : `${date.toISOString().slice(0, -5).replace('T', ' ')} UTC`
}
