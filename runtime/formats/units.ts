import type { Millis } from '../domain/index.ts'

/** JSON Schema pattern of a duration, for the grammars that read one. */
export const durationPattern = '^[0-9]{1,9}(ms|s|m|h|d)$'
/** JSON Schema pattern of a size. */
export const sizePattern = '^[0-9]{1,9}(KiB|MiB|GiB)$'

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const sizeUnits: Readonly<Record<string, number>> = { KiB: 1_024, MiB: 1_024 ** 2, GiB: 1_024 ** 3 }

/** The longest duration in any file. Every part of the program can still compute with a date that far away. */
const longestDuration = '3650d'

/**
 * Returns the milliseconds of a duration such as `500ms`, `30s`, `10m`, `4h` or `1d`.
 * @throws RangeError if the text is not a duration, or is longer than 3650d
 */
export function parseDuration(text: string): Millis {
  const duration = readDuration(text)
  if (duration > readDuration(longestDuration)) throw new RangeError(`"${text}" is longer than ${longestDuration}`)
  return duration
}

/**
 * JSON Schema of a duration.
 * @param longest the longest that is allowed, as files write it
 */
export function durationSchema(longest: string = longestDuration) {
  return { pattern: durationPattern, 'x-fault': 'must be a duration, such as 500ms, 30s, 10m, 4h, 1d', 'x-longest': longest }
}

/** Returns the check of `x-longest`. A text that is not a duration breaks another rule. */
export function isWithin(longest: string, text: string): boolean {
  return !new RegExp(durationPattern).test(text) || readDuration(text) <= readDuration(longest)
}

/** Returns a duration as files write it, in the largest unit that fits: `90m`, `1h`. */
export function durationText(duration: Millis): string {
  const [unit, factor] = Object.entries(durationUnits).findLast(([, factor]) => duration % factor === 0) ?? ['ms', 1]
  return `${duration / factor}${unit}`
}

/** Returns the bytes of a size such as `64KiB`, `5MiB` or `1GiB`. @throws RangeError if the text is not a size */
export function parseSize(text: string): number {
  return read(text, sizePattern, sizeUnits, 'a size such as 64KiB, 5MiB, 1GiB')
}

function readDuration(text: string): Millis {
  return read(text, durationPattern, durationUnits, 'a duration such as 500ms, 30s, 10m, 4h, 1d')
}

function read(text: string, pattern: string, units: Readonly<Record<string, number>>, wanted: string): number {
  const unit = new RegExp(pattern).exec(text)?.[1]
  const factor = unit === undefined ? undefined : units[unit]
  if (factor === undefined) throw new RangeError(`"${text}" is not ${wanted}`)
  return Number.parseInt(text, 10) * factor
}
