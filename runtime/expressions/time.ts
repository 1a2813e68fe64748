import type { Json } from '../domain/index.ts'

const isoPattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * Returns the epoch milliseconds of a time: a number, or a text in ISO 8601. A text without a zone is UTC.
 * Undefined if the value is not a time.
 */
export function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? value : undefined
  const match = typeof value === 'string' ? isoPattern.exec(value) : null
  if (typeof value !== 'string' || match === null || !isDay(value.slice(0, 10))) return undefined
  const zoned = match[1] !== undefined || value.length === 10 ? value : `${value}Z`
  const time = Date.parse(zoned.replace(' ', 'T'))
  return Number.isNaN(time) ? undefined : time
}

/** Returns whether a day exists. `Date.parse` takes the 30th of February for the 2nd of March. */
function isDay(date: string): boolean {
  const day = Number(date.slice(8))
  return day <= 28 || new Date(date).getUTCDate() === day
}
