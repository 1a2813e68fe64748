import { filters as builtIn, type FilterImplOptions, Context as LiquidContext } from 'liquidjs'
import type { Json } from '../domain/index.ts'
import { kindOf } from './operators/types.ts'

/** Reads members of items: null where an item has none, which is an error anywhere else. */
class ItemContext extends LiquidContext {
  private readonly item: object | null

  constructor(item: object | null, outer: LiquidContext) {
    const { sync, globals, ownPropertyOnly } = outer
    super(item ?? {}, outer.opts, { sync, globals, ownPropertyOnly }, outer)
    this.item = item
  }

  /** Of the item alone: what it lacks is not looked for elsewhere, where `size` would be 0. */
  override *_get(paths: Parameters<LiquidContext['_get']>[0]): IterableIterator<unknown> {
    return yield* this._getFromScope(this.item, paths)
  }

  override *_getFromScope(...[scope, paths]: Parameters<LiquidContext['_getFromScope']>): IterableIterator<unknown> {
    return (yield* super._getFromScope(scope, paths, false)) ?? null
  }

  /** The filters read each item as a context of its own. */
  override spawn(item: object | null = {}): LiquidContext {
    return new ItemContext(item, this)
  }
}

type Original = (this: unknown, list: unknown, ...more: unknown[]) => unknown

/** One of Liquid's filters, whose items need not all have the member that it asks for. */
function lenient(name: string, listOf: (value: unknown, filter: string) => unknown): [string, FilterImplOptions] {
  const original = (builtIn as unknown as Readonly<Record<string, Original>>)[name] as Original
  return [
    name,
    function (value: unknown, ...more: unknown[]): unknown {
      return original.call({ ...this, context: new ItemContext({}, this.context) }, listOf(value, name), ...more)
    },
  ]
}

const choosing = ['where', 'reject', 'has', 'find', 'find_index', 'group_by']

/**
 * Liquid's filters by a member of each item. An item without the member has null there: it does not match, and `map` gives null. What
 * chooses among objects refuses anything else, which no member could ever tell apart.
 */
export const itemFilters: Readonly<Record<string, FilterImplOptions>> = Object.fromEntries([
  lenient('map', (value) => value),
  ...choosing.map((name) => lenient(name, objectsIn)),
])

/** As Liquid takes it: nothing is an empty list, and one object a list of one. */
function objectsIn(value: unknown, filter: string): readonly unknown[] {
  const items: readonly unknown[] = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
  const other = items.find((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)))
  if (other !== undefined) throw new Error(`\`${filter}\` needs a list of objects, and one of its items is ${kindOf(other as Json)}`)
  return items
}
