import { items } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { fewerItems } from './items-of.ts'

export const pop: Filter = {
  name: 'pop',
  text: 'the list without its last item',
  example: '{{ vars.words | pop }}',
  types: signature(lists, [], fewerItems),
  cost: items(2),
  evaluate: 'liquidjs',
}
