import type { Millis } from '../../domain/index.ts'

/** About 30 years. Callers have limits of their own. */
const mostAsked = 999_999_999

/** The three forms of a date in HTTP (RFC 9110, 5.6.7). The last one names no zone; it is GMT too. */
const withZone = [/^[a-z]{3}, \d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/i, /^[a-z]{6,9}, \d{1,2}-[a-z]{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/i] as const
const withoutZone = /^[a-z]{3} [a-z]{3} [ \d]?\d \d{2}:\d{2}:\d{2} \d{4}$/i

/** Reads a date of HTTP. `Date.parse` alone takes `soon 5` for a date. NaN: it is none. */
function dateOf(text: string): number {
  if (withZone.some((form) => form.test(text))) return Date.parse(text)
  return withoutZone.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}

/**
 * Returns how many seconds an answer asks to wait. Null: it does not ask, or says nothing that HTTP allows. A fraction
 * of a second is taken too, because some systems send one. A date is compared with the answer's own `Date`, so no local
 * clock is needed.
 */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return null
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text)), mostAsked)
  const seconds = Math.ceil((dateOf(text) - dateOf(headers['date']?.trim() ?? '')) / 1_000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), mostAsked)
}

/**
 * Returns the time of an answer in epoch milliseconds, from its `Date` header, so that times in the answer are
 * compared with the system's own clock. Null without a valid header.
 */
export function answeredAt({ date }: Readonly<Record<string, string>>): Millis | null {
  const time = dateOf(date?.trim() ?? '')
  return Number.isNaN(time) ? null : time
}
