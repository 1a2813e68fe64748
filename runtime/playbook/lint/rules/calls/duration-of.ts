import type { Json } from '../../../../domain/index.ts'
import { durationPattern, parseDuration } from '../../../../formats/index.ts'

/** Returns the milliseconds of a duration such as `5m`. Null if the value is not a duration. */
export function durationOf(value: Json | undefined): number | null {
  return typeof value === 'string' && new RegExp(durationPattern).test(value) ? parseDuration(value) : null
}
