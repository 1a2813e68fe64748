import { Drop } from 'liquidjs'
import type { Json } from '../../domain/index.ts'
import { ofKeys } from '../cost.ts'
import type { Meter } from '../work.ts'

/** More deeply nested values are refused. */
const deepest = 200

/** Work units for each part of a value, and for each character of its texts. */
export interface PartCost {
  readonly part: number
  readonly character: number
}

/** The cost to check a value. */
const looking: PartCost = { part: 4, character: 0 }
/** The cost to check a value and turn it into text. */
export const writing: PartCost = { part: 12, character: 0.4 }

/**
 * Returns the result of a filter as JSON. Undefined inside a list or object becomes null. Copies nothing that
 * is already JSON. Charges the meter.
 * @throws Error if the value cannot be JSON; WorkExceeded
 */
export function asJson(value: unknown, meter: Meter, cost = looking, levels = deepest): Json | undefined {
  meter.charge(cost.part + (typeof value === 'string' ? value.length * cost.character : 0))
  if (value === undefined) return undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('the result is not a number')
    return value
  }
  // The words `nil`, `empty` and `blank` as values.
  if (value instanceof Drop) return null
  if (typeof value !== 'object') throw new Error('the result is not a JSON value')
  if (levels === 0) throw new Error(`the result has more than ${deepest} levels`)
  return Array.isArray(value) ? listAsJson(value, meter, cost, levels) : objectAsJson(value as Readonly<Record<string, unknown>>, meter, cost, levels)
}

function listAsJson(list: readonly unknown[], meter: Meter, cost: PartCost, levels: number): Json {
  let made: Json[] | null = null
  for (let index = 0; index < list.length; index += 1) {
    const item = asJson(list[index], meter, cost, levels - 1) ?? null
    if (made === null && item !== list[index]) {
      meter.charge(index)
      made = list.slice(0, index) as Json[]
    }
    made?.push(item)
  }
  return made ?? (list as Json)
}

function objectAsJson(value: Readonly<Record<string, unknown>>, meter: Meter, cost: PartCost, levels: number): Json {
  const keys = Object.keys(value)
  meter.charge(ofKeys(keys.length) + cost.character * keys.reduce((sum, key) => sum + key.length, 0))
  const members = keys.map((key) => asJson(value[key], meter, cost, levels - 1) ?? null)
  if (members.every((member, index) => member === value[keys[index] ?? ''])) return value as Json
  meter.charge(ofKeys(keys.length) * 3)
  return Object.fromEntries(keys.map((key, index) => [key, members[index] ?? null]))
}
