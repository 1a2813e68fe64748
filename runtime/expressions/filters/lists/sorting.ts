import { meterOf } from '../../liquid/context.ts'
import { textLength } from '../../liquid/cost.ts'
import { type Filtering, listOf, readPath } from '../members/read.ts'

interface Reading {
  readonly item: unknown
  readonly value: unknown
}

type Key = string | number | boolean | null

/** The items of a list, each with its value: the item itself or a member. Charges for reading the value and for making a text of it. */
function readings({ context }: Filtering, given: unknown, property: unknown): readonly Reading[] {
  textLength(meterOf(context), property)
  const path = property ? String(property).split('.') : []
  return listOf(given).map((item) => {
    const value = readPath(context, item, path)
    textLength(meterOf(context), value)
    return { item, value }
  })
}

/**
 * Liquid's `sort` and `sort_natural`, in the same order. The sort key is made once for each item, and not for each comparison.
 * @param natural ignore case
 */
export function sorting(natural: boolean) {
  return function (this: Filtering, given: unknown, property: unknown): readonly unknown[] {
    const keyed = readings(this, given, property).map(({ item, value }) => ({ item, key: keyOf(value, natural) }))
    const longest = keyed.reduce((most, { key }) => (typeof key === 'string' && key.length > most ? key.length : most), 0)
    // Each of n items is compared with about log2 n others.
    meterOf(this.context).charge(keyed.length * Math.log2(keyed.length + 1) * (6 + longest / 16))
    return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
  }
}

/** Liquid's `sum`: a value that is not a number counts as 0. */
export function sum(this: Filtering, given: unknown, property: unknown): number {
  return readings(this, given, property).reduce((all, { value }) => all + (Number(value) || 0), 0)
}

/** The sort key of a value. Lists and objects are compared as texts. */
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
