import type { Json } from '../../domain/index.ts'
import type { Meter } from '../work.ts'
import { ofKeys } from './cost.ts'

/** An operator of conditions over evaluated arguments. */
export interface Operator {
  /** How many arguments it takes, at least and at most. */
  readonly takes: readonly [number, number]
  /**
   * Pays for its own work; its arguments are paid for.
   * @throws Error that says what does not fit; WorkExceeded
   */
  apply(meter: Meter, ...values: Json[]): Json
}

export function operator(least: number, most: number, apply: Operator['apply']): Operator {
  return { takes: [least, most], apply }
}

/** What a value is, in words. */
export function kindOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'boolean' ? 'a boolean' : typeof value === 'number' ? 'a number' : 'a text'
}

export function textOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error(`needs a text, not ${kindOf(value)}`)
  return value
}

export function numberOf(value: Json | undefined): number {
  if (typeof value !== 'number') throw new Error(`needs a number, not ${kindOf(value)}`)
  return value
}

export function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`needs a list, not ${kindOf(value)}`)
  return value as readonly Json[]
}

/** What is nested more deeply than this cannot be compared. */
const deepest = 200

/**
 * Same value, all the way down; the order of an object's keys does not matter.
 * @throws Error when they are nested too deeply; WorkExceeded
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

/** As json-logic has it: null, false, 0, the empty text and the empty list are not. */
export function truthy(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
