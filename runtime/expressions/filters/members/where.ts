import { listOf } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, memberName, signature } from '../signature.ts'
import { choosing, chosenBy } from './choose.ts'

export const where: Filter = {
  name: 'where',
  text: 'the items whose member equals a value, or counts as true if no value is given',
  example: "{{ vars.users | where: 'name', 'bob' }}",
  types: signature(
    lists,
    [memberName, null],
    chosenBy((items) => listOf(items)),
    { least: 1 },
  ),
  cost: noCost,
  evaluate: choosing('where', (items, matches) => items.filter(matches)),
}
