import { listOf, without } from '../../typing/model/index.ts'
import { items } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { itemsOf } from './items-of.ts'

export const compact: Filter = {
  name: 'compact',
  text: 'the items that are not null',
  example: '{{ vars.gaps | compact }}',
  types: signature(lists, [], ({ input }) => listOf(without(itemsOf(input), 'null'))),
  cost: items(5),
  evaluate: 'liquidjs',
}
