import type { Json } from '../../../domain/index.ts'
import { canonical } from './canonical.ts'
import { operation } from './facts.ts'

/** A test with the result that it must have. */
interface Asked {
  readonly rule: Json
  readonly holds: boolean
}

/** The numbers for which a test has its result. */
interface Range {
  readonly least: number
  readonly most: number
  /** Whether the ends are part of the range. */
  readonly closed: { readonly least: boolean; readonly most: boolean }
}

const everything: Range = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, closed: { least: true, most: true } }
const flipped: Readonly<Record<string, string>> = { '<': '>', '>': '<' }

/**
 * Returns whether no number can pass all these tests of one value. Only looks at `<` and `>`: callers turn
 * `<=` and `>=` into their opposites.
 */
export function neverTogether(asked: readonly Asked[]): boolean {
  const ranges = new Map<string, Range>()
  for (const each of asked) {
    const found = rangeOf(each)
    if (found === null) continue
    const range = both(ranges.get(found.value) ?? everything, found.range)
    if (isEmpty(range)) return true
    ranges.set(found.value, range)
  }
  return false
}

function rangeOf({ rule, holds }: Asked): { readonly value: string; readonly range: Range } | null {
  const found = operation(rule)
  if (found === null || found.args.length !== 2 || !Object.hasOwn(flipped, found.name)) return null
  const [a = null, b = null] = found.args
  const [value, limit, name] = typeof b === 'number' ? [a, b, found.name] : typeof a === 'number' ? [b, a, flipped[found.name]] : [null, null, '']
  if (limit === null || typeof value === 'number') return null
  const below = (name === '<') === holds
  const closed = { least: true, most: true, [below ? 'most' : 'least']: !holds }
  return { value: canonical(value), range: { ...everything, [below ? 'most' : 'least']: limit, closed } }
}

function both(a: Range, b: Range): Range {
  const least = Math.max(a.least, b.least)
  const most = Math.min(a.most, b.most)
  const at = (end: 'least' | 'most', value: number): boolean => [a, b].every((range) => range[end] !== value || range.closed[end])
  return { least, most, closed: { least: at('least', least), most: at('most', most) } }
}

function isEmpty({ least, most, closed }: Range): boolean {
  return least > most || (least === most && !(closed.least && closed.most))
}
