import { items } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { fewerItems } from './items-of.ts'

export const shift: Filter = {
  name: 'shift',
  text: 'the list without its first item',
  example: '{{ vars.words | shift }}',
  types: signature(lists, [], fewerItems),
  cost: items(3),
  evaluate: 'liquidjs',
}
