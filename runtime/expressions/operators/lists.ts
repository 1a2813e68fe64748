import type { Json } from '../../domain/index.ts'
import { kindOf, listOf, type Operator, operator, same, textOf, truthy } from './types.ts'

const many = Number.MAX_SAFE_INTEGER

function lengthOf(value: Json | undefined): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  throw new Error(`needs a list, a text or an object, not ${kindOf(value)}`)
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function keysOf(value: Json | undefined): string[] {
  if (!isObject(value)) throw new Error(`needs an object, not ${kindOf(value)}`)
  return Object.keys(value)
}

/** Each once, the first of equal ones. */
function unique(values: readonly Json[]): Json[] {
  const found = new Map<string, Json>()
  for (const value of values) {
    const key = canonical(value)
    if (!found.has(key)) found.set(key, value)
  }
  return [...found.values()]
}

/** The same text for the same value, whatever the order of an object's keys. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

export const lists: Readonly<Record<string, Operator>> = {
  '!': operator(1, 1, (value) => !truthy(value)),
  '!!': operator(1, 1, (value) => truthy(value)),
  // A text in a text, or a value in a list.
  in: operator(2, 2, (value, where) => (typeof where === 'string' ? where.includes(textOf(value)) : listOf(where).some((item) => same(item, value)))),
  merge: operator(1, many, (...values) => values.flatMap((value) => (Array.isArray(value) ? (value as Json[]) : [value]))),
  length: operator(1, 1, lengthOf),
  keys: operator(1, 1, keysOf),
  unique: operator(1, 1, (value) => unique(listOf(value))),
}
