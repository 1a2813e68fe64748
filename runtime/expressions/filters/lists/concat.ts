import { list, listOf, union } from '../../typing/model/index.ts'
import { items } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { itemsOf } from './items-of.ts'

export const concat: Filter = {
  name: 'concat',
  text: 'one list with the items of both',
  example: '{{ vars.list | concat: vars.words }}',
  types: signature(lists, [['list']], ({ input, args }) => listOf(union(itemsOf(input), itemsOf(args[0] ?? list)))),
  cost: items(2),
  evaluate: 'liquidjs',
}
