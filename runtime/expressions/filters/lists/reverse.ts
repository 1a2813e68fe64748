import { items } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { sameItems } from './items-of.ts'

export const reverse: Filter = {
  name: 'reverse',
  text: 'the items in reverse order',
  example: '{{ vars.list | reverse }}',
  types: signature(lists, [], sameItems),
  cost: items(2),
  evaluate: 'liquidjs',
}
