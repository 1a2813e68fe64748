import { isTruthy, type Context as LiquidContext, toValueSync } from 'liquidjs'
import { operators } from '../../liquid/operators.ts'
import type { Type } from '../../typing/model/index.ts'
import type { FilterFunction } from '../definition.ts'
import { itemsOf } from '../lists/items-of.ts'
import type { FilterCall } from '../signature.ts'
import { objectsIn, readerOf } from './read.ts'
import { memberOfItems } from './types.ts'

/** Tests whether a member equals `expected`. Without `expected`, tests whether it counts as true. */
function matcher(context: LiquidContext, property: unknown, expected: unknown): (item: unknown) => boolean {
  const read = readerOf(context, property)
  const equals = operators['=='] as (left: unknown, right: unknown, context: LiquidContext) => unknown
  if (expected === undefined) return (item) => isTruthy(read(item), context)
  return (item) => Boolean(toValueSync(equals(read(item), expected, context)))
}

/** Returns a filter that chooses among objects by a member. An item that does not have the member does not match. */
export function choosing(name: string, choose: (items: readonly unknown[], matches: (item: unknown) => boolean) => unknown): FilterFunction {
  return function (value, property, expected) {
    return choose(objectsIn(value, name), matcher(this.context, property, expected))
  }
}

/** Returns the type of such a filter. Reports a member that no item has. */
export function chosenBy(result: (items: Type, member: Type) => Type): (call: FilterCall) => Type {
  return (call) => {
    const items = call.objects(itemsOf(call.input))
    return result(items, memberOfItems(call, items))
  }
}
