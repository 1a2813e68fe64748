import { isNever, only, optional } from '../../typing/model/index.ts'
import type { Filter } from '../definition.ts'
import { itemsOf } from '../lists/items-of.ts'
import { constantOf, lists, memberName, signature } from '../signature.ts'

/** Returns a member as a number. A text that is a number counts. @throws Error if it is neither */
function numberIn(item: unknown, member: string): number {
  const own = typeof item === 'object' && item !== null && Object.hasOwn(item, member)
  const value = own ? (item as Readonly<Record<string, unknown>>)[member] : undefined
  if (typeof value === 'number') return value
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  throw new Error(`\`max_by\` needs a number as \`${member}\` of every item`)
}

export const maxBy: Filter = {
  name: 'max_by',
  text: 'the item whose member is the largest number; only Tocsin has this filter, Liquid does not',
  example: "{{ vars.users | max_by: 'age' }}",
  types: signature(
    lists,
    [memberName],
    (call) => {
      const path = constantOf(call.args[0])
      const items = only(call.objects(itemsOf(call.input)), 'object')
      // Here a dot is part of the name.
      if (path !== null && !isNever(items) && !path.includes('.')) call.neededMember(items, path)
      return (call.input.list?.least ?? 0) > 0 ? itemsOf(call.input) : optional(itemsOf(call.input))
    },
    { failsOnNull: true },
  ),
  cost: (meter, value) => meter.charge(40 * (Array.isArray(value) ? value.length : 1)),
  evaluate: (list: unknown, member: unknown) => {
    if (typeof member !== 'string') throw new Error('`max_by` needs the name of a member')
    if (!Array.isArray(list)) throw new Error('`max_by` needs a list')
    const [first, ...others] = list.map((item: unknown) => ({ item, size: numberIn(item, member) }))
    return others.reduce((largest, other) => (other.size > (largest?.size ?? 0) ? other : largest), first)?.item
  },
}
