import type { Json } from '../../domain/index.ts'

/** An operator of conditions over evaluated arguments. */
export interface Operator {
  /** How many arguments it takes, at least and at most. */
  readonly takes: readonly [number, number]
  /** @throws Error that says what does not fit */
  apply(...values: Json[]): Json
}

export function operator(least: number, most: number, apply: (...values: Json[]) => Json): Operator {
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

/** Same value, all the way down; the order of an object's keys does not matter. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item as Json, b[index] as Json))
  }
  const left = a as Readonly<Record<string, Json>>
  const right = b as Readonly<Record<string, Json>>
  const keys = Object.keys(left)
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
}

/** As json-logic has it: null, false, 0, the empty text and the empty list are not. */
export function truthy(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
