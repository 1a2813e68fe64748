import { evalToken, isTruthy, Context as LiquidContext, Tokenizer, toValueSync } from 'liquidjs'
import type { Json } from '../../domain/index.ts'
import { kindOf } from '../operators/types.ts'
import { MeteredContext, meterOf } from './context.ts'
import { textLength } from './cost.ts'
import { operators } from './operators.ts'

/** What a filter is called with. */
export interface Filtering {
  readonly context: LiquidContext
}

/** What reading a member of an item takes, for each part of the path; and where Liquid must read the path. */
const ofPart = 15
const ofLiquid = 250
/** What an item takes besides. */
const ofItem = 15

/** As Liquid takes it: nothing is an empty list, and anything else a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  return value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** A member of a value as Liquid reads it; undefined where there is none. */
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

/** The values of one item alone: what it lacks is not looked for elsewhere. */
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

/** How a member is read of an item: null where it has none, which is an error anywhere else. */
function readerOf(context: LiquidContext, property: unknown): (item: unknown) => unknown {
  textLength(meterOf(context), property)
  const text = String(property)
  // What is not plain names with dots between them Liquid reads, brackets above all.
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

/** Whether a member is what is expected; where nothing is, whether it counts as true. */
function matcher(context: LiquidContext, property: unknown, expected: unknown): (item: unknown) => boolean {
  const read = readerOf(context, property)
  const equals = operators['=='] as (left: unknown, right: unknown, context: LiquidContext) => unknown
  if (expected === undefined) return (item) => isTruthy(read(item), context)
  return (item) => Boolean(toValueSync(equals(read(item), expected, context)))
}

/** A list whose items have members: no member could ever tell others apart. */
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
 * Liquid's filters by a member of each item. An item without the member has null there: it does not match, and `map` gives null. What
 * chooses among objects refuses anything else.
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
