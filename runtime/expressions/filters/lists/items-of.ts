import { any, isAny, isNever, listOf, never, optional, present, type Type, text, union, unionOf, without } from '../../typing/model/index.ts'
import type { FilterCall } from '../signature.ts'

/** Returns the type of the items. Liquid takes null for an empty list, and any other single value for a list of one. */
export function itemsOf(input: Type): Type {
  if (isAny(input)) return any
  const others = without(input, 'null', 'list')
  return union(input.list?.items ?? never, isNever(others) ? never : present(others))
}

/** Returns the type of a list with the same items, in any order. */
export function sameItems({ input }: FilterCall): Type {
  return listOf(itemsOf(input), isNever(without(input, 'list')) ? (input.list?.least ?? 0) : 0)
}

/** Returns the type of a list with some of the items. */
export function fewerItems({ input }: FilterCall): Type {
  return listOf(itemsOf(input))
}

/** Returns the type of the first or last item, or character. */
export function endOfList({ input }: FilterCall): Type {
  const parts: Type[] = []
  if (input.list !== null) parts.push(input.list.least > 0 ? input.list.items : optional(input.list.items))
  if (!isNever(without(input, 'list'))) parts.push(text)
  return isAny(input) ? any : unionOf(parts)
}
