import { evalToken, Context as LiquidContext, Tokenizer, toValueSync } from 'liquidjs'
import type { Json } from '../../../domain/index.ts'
import { MeteredContext, meterOf } from '../../liquid/context.ts'
import { textLength } from '../../liquid/cost.ts'
import { memberOfText } from '../../liquid/text-member.ts'
import { kindOf } from '../../values.ts'

/** Work units to read a member of an item: for each part of a plain path, and for a path that Liquid must evaluate. */
const ofPart = 15
const ofLiquid = 250
/** Work units for each item. */
const ofItem = 15

/** Returns a value as a list. As in Liquid, null is an empty list, and any other single value is a list of one. */
export function itemsIn(value: unknown): readonly unknown[] {
  return value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** Reads a member of a value like Liquid; undefined: it is missing. */
export function readPath(context: LiquidContext, value: unknown, path: readonly string[]): unknown {
  meterOf(context).charge(ofItem + ofPart * path.length)
  let read = value
  for (const part of path) {
    if (read === null || read === undefined) return read
    if (part === 'size' && typeof read === 'object') textLength(meterOf(context), Array.isArray(read) ? '' : Object.keys(read).join(''))
    read =
      typeof read === 'string' ? memberOfText(meterOf(context), read, part) : LiquidContext.prototype.readProperty.call(context, read as object, part)
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

/** Returns a function that reads a member of an item. It gives null, and no error, if the item does not have it. */
export function readerOf(context: LiquidContext, property: unknown): (item: unknown) => unknown {
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

/** Returns the items of a list. @throws Error if one of them is neither an object nor null */
export function objectsIn(value: unknown, filter: string): readonly unknown[] {
  const items = itemsIn(value)
  const other = items.find((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)))
  if (other !== undefined) throw new Error(`\`${filter}\` needs a list of objects, and one of its items is ${kindOf(other as Json)}`)
  return items
}
