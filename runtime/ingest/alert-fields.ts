import { isLine, type Json, type Millis } from '../domain/index.ts'
import { isoTime } from '../formats/index.ts'
import { partAt } from '../json/index.ts'

/** Where a body that a source decides itself says what alert it is. Places are JSON pointers (RFC 6901). */
export interface FieldPlaces {
  /** The type of an alert that has none at `typeAt`. */
  readonly type: string | null
  readonly typeAt: string | null
  readonly idAt: string | null
  readonly createdAt: string | null
}

/** What a body says about its alert. */
export interface AlertFields {
  readonly type: string | null
  /** What tells one alert of the source from another, as text. */
  readonly id: string | null
  readonly createdAtSource: Millis | null
}

/**
 * Reads what a body says about the alert. What is missing, or has another form, counts as not said: the alert must not be lost because
 * its source has changed.
 * @param body undefined if it is not JSON
 */
export function alertFieldsOf(places: FieldPlaces, body: Json | undefined): AlertFields {
  const at = (place: string | null): string | null => (place === null || body === undefined ? null : textOf(partAt(body, place)))
  const type = places.typeAt === null || body === undefined ? null : typeOf(partAt(body, places.typeAt))
  const id = at(places.idAt)
  const created = at(places.createdAt)
  return {
    type: type ?? places.type,
    id: id === '' ? null : id,
    createdAtSource: created === null ? null : timeOf(created),
  }
}

function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}

/** Returns a type that could be sent as `alert_type`. A whole number, such as the id of an event, counts as its digits. */
function typeOf(value: Json | undefined): string | null {
  const type = textOf(value)
  if (type === null || (typeof value === 'number' && !Number.isSafeInteger(value))) return null
  return [...type.slice(0, 2 * longestType + 1)].length <= longestType && isLine(type) ? type : null
}

/** The most characters of a type. */
const longestType = 200

/** Below this, a number is in seconds. In milliseconds it would be a time before March 1973. */
const leastMillis = 100_000_000_000

/** No time in ISO 8601 is longer. A body may have a megabyte here. */
const longestTime = 64

/** A time in ISO 8601, at least to the minute. A day alone is none. */
const isoWithTime = /^\d{4}-\d\d-\d\d[T ]/i

function timeOf(text: string): Millis | null {
  if (text.length > longestTime) return null
  if (isoWithTime.test(text)) return isoTime(text) ?? null
  const time = /^\d{1,16}(\.\d{1,9})?$/.test(text) ? epochOf(Number(text)) : Number.NaN
  return Number.isSafeInteger(time) ? time : null
}

function epochOf(number: number): Millis {
  return Math.floor(number < leastMillis ? number * 1_000 : number)
}
