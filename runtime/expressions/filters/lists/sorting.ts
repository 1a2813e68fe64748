import { meterOf } from '../../liquid/context.ts'
import type { FilterFunction } from '../definition.ts'
import { readings } from '../members/readings.ts'
import { memberOfItems } from '../members/types.ts'
import { type FilterSignature, lists, memberName, signature } from '../signature.ts'
import { sameItems } from './items-of.ts'

type Key = string | number | boolean | null

/**
 * Liquid's `sort` and `sort_natural`, with the same order. The sort key is made once for each item, and not for each comparison.
 * @param natural ignore case
 */
export function sorting(natural: boolean): FilterFunction {
  return function (given, property) {
    const keyed = readings(this, given, property).map(({ item, value }) => ({ item, key: keyOf(value, natural) }))
    const longest = keyed.reduce((most, { key }) => (typeof key === 'string' && key.length > most ? key.length : most), 0)
    // Each of n items is compared with about log2 n others.
    meterOf(this.context).charge(keyed.length * Math.log2(keyed.length + 1) * (6 + longest / 16))
    return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
  }
}

/** Returns the sort key of a value. Lists and objects are compared as texts. */
function keyOf(value: unknown, natural: boolean): Key {
  if (value === null || value === undefined) return null
  if (natural) return String(value).toLowerCase()
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}

/** Null comes last. */
function order(a: Key, b: Key): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

export const typesOfSorting: FilterSignature = signature(
  lists,
  [memberName],
  (call) => {
    if (call.args.length > 0) memberOfItems(call)
    return sameItems(call)
  },
  { least: 0 },
)
