import { any, isNever, nullable, present, type Type } from '../../typing/model/index.ts'
import { itemsOf } from '../lists/items-of.ts'
import { constantOf, type FilterCall } from '../signature.ts'

/** Returns the type of the member that the first argument names. It is null for an item that does not have it. */
export function memberOfItems(call: FilterCall, items = itemsOf(call.input)): Type {
  const path = constantOf(call.args[0])
  if (path === null || isNever(items)) return any
  const member = call.member(items, path)
  return member.absence === 'no' ? member : nullable(present(member))
}
