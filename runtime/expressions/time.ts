import type { Json } from '../domain/index.ts'
import { isoTime } from '../formats/index.ts'

/** Returns the epoch milliseconds of a time: a number, or a text in ISO 8601. Undefined if the value is not a time. */
export function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? value : undefined
  return typeof value === 'string' ? isoTime(value) : undefined
}
