import type { Json } from '../domain/index.ts'
import { ofKeys } from './cost.ts'
import type { Meter } from './work.ts'

/** Returns the kind of a value, with its article, for messages. */
export function kindOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'boolean' ? 'a boolean' : typeof value === 'number' ? 'a number' : 'a text'
}

/** @throws Error if the value is not a text */
export function textOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error(`needs a text, not ${kindOf(value)}`)
  return value
}

/** @throws Error if the value is not a number */
export function numberOf(value: Json | undefined): number {
  if (typeof value !== 'number') throw new Error(`needs a number, not ${kindOf(value)}`)
  return value
}

/** @throws Error if the value is not a list */
export function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`needs a list, not ${kindOf(value)}`)
  return value as readonly Json[]
}

/** More deeply nested values cannot be compared. */
const deepest = 200

/**
 * Returns whether two values are equal, including everything inside them. The order of an object's keys does not matter.
 * @throws Error if they are nested too deeply; WorkExceeded
 */
export function same(meter: Meter, a: Json | undefined, b: Json | undefined, levels = deepest): boolean {
  meter.charge(2)
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) meter.charge(a.length / 16)
    return a === b
  }
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (levels === 0) throw new Error(`compares values of more than ${deepest} levels`)
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => same(meter, item as Json, b[index] as Json, levels - 1))
    )
  }
  const left = a as Readonly<Record<string, Json>>
  const right = b as Readonly<Record<string, Json>>
  const keys = Object.keys(left)
  meter.charge(2 * ofKeys(keys.length))
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same(meter, left[key], right[key], levels - 1))
}

/** Returns whether a value counts as true in a condition. As in json-logic, null, false, 0, the empty text and the empty list do not. */
export function truthy(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
