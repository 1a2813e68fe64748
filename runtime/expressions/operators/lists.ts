import { isObject, type Json } from '../../domain/index.ts'
import type { Meter } from '../work.ts'
import { ofItems, ofKeys, ofSearch, ofText } from './cost.ts'
import { kindOf, listOf, type Operator, operator, same, textOf, truthy } from './types.ts'

const many = Number.MAX_SAFE_INTEGER

function lengthOf(meter: Meter, value: Json | undefined): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return keysOf(meter, value).length
  throw new Error(`needs a list, a text or an object, not ${kindOf(value)}`)
}

function keysOf(meter: Meter, value: Json | undefined): string[] {
  if (!isObject(value)) throw new Error(`needs an object, not ${kindOf(value)}`)
  const keys = Object.keys(value)
  meter.charge(ofKeys(keys.length))
  return keys
}

/** Each once, the first of equal ones. */
function unique(meter: Meter, values: readonly Json[]): Json[] {
  const found = new Map<string, Json>()
  for (const value of values) {
    const key = canonical(meter, value)
    meter.charge(10)
    if (!found.has(key)) found.set(key, value)
  }
  return [...found.values()]
}

/** What is nested more deeply than this has no canonical text. */
const deepest = 200

/** The same text for the same value, whatever the order of an object's keys. @throws Error when it is nested too deeply; WorkExceeded */
function canonical(meter: Meter, value: Json, levels = deepest): string {
  // Each level copies what is below it.
  const paid = (text: string): string => {
    meter.charge(10 + text.length / 2)
    return text
  }
  if (typeof value !== 'object' || value === null) {
    meter.charge(ofText(value))
    return paid(JSON.stringify(value))
  }
  if (levels === 0) throw new Error(`compares values of more than ${deepest} levels`)
  if (Array.isArray(value)) return paid(`[${(value as readonly Json[]).map((item) => canonical(meter, item, levels - 1)).join(',')}]`)
  const names = keysOf(meter, value).sort()
  const members = value as { readonly [key: string]: Json }
  return paid(`{${names.map((key) => `${paid(JSON.stringify(key))}:${canonical(meter, members[key] ?? null, levels - 1)}`).join(',')}}`)
}

/** Whether a value is in a list, or a text in a text. */
function occurs(meter: Meter, value: Json | undefined, where: Json | undefined): boolean {
  if (typeof where !== 'string') return listOf(where).some((item) => same(meter, item, value))
  const part = textOf(value)
  meter.charge(ofSearch(where, part))
  return where.includes(part)
}

function merged(meter: Meter, values: readonly Json[]): Json[] {
  const items: Json[] = []
  for (const value of values) {
    if (!Array.isArray(value)) items.push(value)
    else {
      meter.charge(ofItems(value.length))
      for (const item of value as readonly Json[]) items.push(item)
    }
  }
  return items
}

export const lists: Readonly<Record<string, Operator>> = {
  '!': operator(1, 1, (_meter, value) => !truthy(value)),
  '!!': operator(1, 1, (_meter, value) => truthy(value)),
  // A text in a text, or a value in a list.
  in: operator(2, 2, (meter, value, where) => occurs(meter, value, where)),
  merge: operator(1, many, (meter, ...values) => merged(meter, values)),
  length: operator(1, 1, (meter, value) => lengthOf(meter, value)),
  keys: operator(1, 1, (meter, value) => keysOf(meter, value)),
  unique: operator(1, 1, (meter, value) => unique(meter, listOf(value))),
}
