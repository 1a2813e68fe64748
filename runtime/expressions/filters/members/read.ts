import { evalToken, isTruthy, Context as LiquidContext, Tokenizer, toValueSync } from 'liquidjs'
import type { Json } from '../../../domain/index.ts'
import { kindOf } from '../../values.ts'
import { MeteredContext, meterOf } from '../../liquid/context.ts'
import { textLength } from '../../liquid/cost.ts'
import { operators } from '../../liquid/operators.ts'

/** The `this` of a filter. */
export interface Filtering {
  readonly context: LiquidContext
}

/** Work units to read a member of an item: for each part of a plain path, and for a path that Liquid must evaluate. */
const ofPart = 15
const ofLiquid = 250
/** Work units for each item. */
const ofItem = 15

/** A value as a list, as Liquid does it: null is an empty list, any other single value is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  return value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** Reads a member of a value like Liquid; undefined: it is missing. */
export function readPath(context: LiquidContext, value: unknown, path: readonly string[]): unknown {
  meterOf(context).charge(ofItem + ofPart * path.length)
  let read = value
  for (const part of path) {
    if (read === null || read === undefined) return read
    if (part === 'size' && typeof read === 'object') textLength(meterOf(context), Array.isArray(read) ? '' : Object.keys(read).join(''))
    read = LiquidContext.prototype.readProperty.call(context, read as object, part)
  }
  return read
}

/** A context that only has the members of one item: a missing member is not looked up in the outer context. */
class ItemContext extends MeteredContext {
  readonly #item: object | null

  constructor(item: object | null, outer: LiquidContext) {
    const { sync, globals, ownPropertyOnly } = outer
    super(item ?? {}, outer.opts, { sync, globals, ownPropertyOnly, strictVariables: false }, outer.liquid, meterOf(outer))
    this.#item = item
  }

  override *_get(paths: Parameters<LiquidContext['_get']>[0]): IterableIterator<unknown> {
    return yield* this._getFromScope(this.#item, paths)
  }
}

/** A function that reads a member of an item. It gives null if the item does not have it, and no error. */
function readerOf(context: LiquidContext, property: unknown): (item: unknown) => unknown {
  textLength(meterOf(context), property)
  const text = String(property)
  // Liquid evaluates paths that are more than names with dots, such as those with brackets.
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(text)) {
    const path = text.split('.')
    return (item) => readPath(context, item, path) ?? null
  }
  const token = new Tokenizer(text).readScopeValue()
  return (item) => {
    meterOf(context).charge(ofLiquid + 3 * text.length)
    return toValueSync(evalToken(token, new ItemContext(item as object | null, context))) ?? null
  }
}

/** Tests whether a member equals `expected`; without `expected`, whether it is truthy. */
function matcher(context: LiquidContext, property: unknown, expected: unknown): (item: unknown) => boolean {
  const read = readerOf(context, property)
  const equals = operators['=='] as (left: unknown, right: unknown, context: LiquidContext) => unknown
  if (expected === undefined) return (item) => isTruthy(read(item), context)
  return (item) => Boolean(toValueSync(equals(read(item), expected, context)))
}

/** The items of a list. @throws Error if one of them is neither an object nor null */
function objectsIn(value: unknown, filter: string): readonly unknown[] {
  const items = listOf(value)
  const other = items.find((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)))
  if (other !== undefined) throw new Error(`\`${filter}\` needs a list of objects, and one of its items is ${kindOf(other as Json)}`)
  return items
}

type Choose = (items: readonly unknown[], matches: (item: unknown) => boolean) => unknown

function choosing(name: string, choose: Choose): [string, (this: Filtering, value: unknown, property: unknown, expected: unknown) => unknown] {
  return [
    name,
    function (value, property, expected) {
      return choose(objectsIn(value, name), matcher(this.context, property, expected))
    },
  ]
}

function groupBy(this: Filtering, value: unknown, property: unknown): readonly object[] {
  const read = readerOf(this.context, property)
  const groups = new Map<unknown, unknown[]>()
  for (const item of objectsIn(value, 'group_by')) {
    const name = read(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return [...groups].map(([name, items]) => ({ name, items }))
}

function map(this: Filtering, value: unknown, property: unknown): readonly unknown[] {
  textLength(meterOf(this.context), property)
  const path = String(property).split('.')
  return listOf(value).map((item) => readPath(this.context, item, path) ?? null)
}

/**
 * Liquid's filters that use a member of each item. If an item does not have the member, it does not match, and `map` gives null. All filters
 * but `map` refuse items that are neither objects nor null.
 */
export const memberFilters = {
  map,
  group_by: groupBy,
  ...Object.fromEntries([
    choosing('where', (items, matches) => items.filter(matches)),
    choosing('reject', (items, matches) => items.filter((item) => !matches(item))),
    choosing('has', (items, matches) => items.some(matches)),
    choosing('find', (items, matches) => items.find(matches)),
    choosing('find_index', (items, matches) => {
      const index = items.findIndex(matches)
      return index < 0 ? undefined : index
    }),
  ]),
}
