import { any, listOf, union } from '../../typing/model/index.ts'
import { items } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { itemsOf } from './items-of.ts'

export const push: Filter = {
  name: 'push',
  text: 'the list with one more item at its end',
  example: '{{ vars.words | push: "d" }}',
  types: signature(lists, [null], ({ input, args }) => listOf(union(itemsOf(input), args[0] ?? any), 1)),
  cost: items(2),
  evaluate: 'liquidjs',
}
