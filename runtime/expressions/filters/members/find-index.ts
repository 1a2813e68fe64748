import { integer, optional } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, memberName, signature } from '../signature.ts'
import { choosing, chosenBy } from './choose.ts'

export const findIndex: Filter = {
  name: 'find_index',
  text: 'the position of the first item whose member equals a value, from 0',
  example: "{{ vars.users | find_index: 'name', 'bob' }}",
  types: signature(
    lists,
    [memberName, null],
    chosenBy(() => optional(integer)),
    { least: 1 },
  ),
  cost: noCost,
  evaluate: choosing('find_index', (items, matches) => {
    const index = items.findIndex(matches)
    return index < 0 ? undefined : index
  }),
}
