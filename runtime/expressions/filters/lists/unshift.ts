import { any, listOf, union } from '../../typing/model/index.ts'
import { items } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { itemsOf } from './items-of.ts'

export const unshift: Filter = {
  name: 'unshift',
  text: 'the list with one more item at its start',
  example: '{{ vars.words | unshift: "d" }}',
  types: signature(lists, [null], ({ input, args }) => listOf(union(itemsOf(input), args[0] ?? any), 1)),
  cost: items(3),
  evaluate: 'liquidjs',
}
