import { optional } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, memberName, signature } from '../signature.ts'
import { choosing, chosenBy } from './choose.ts'

export const find: Filter = {
  name: 'find',
  text: 'the first item whose member equals a value',
  example: "{{ vars.users | find: 'name', 'bob' }}",
  types: signature(
    lists,
    [memberName, null],
    chosenBy((items) => optional(items)),
    { least: 1 },
  ),
  cost: noCost,
  evaluate: choosing('find', (items, matches) => items.find(matches)),
}
