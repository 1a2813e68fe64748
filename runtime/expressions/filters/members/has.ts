import { boolean } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, memberName, signature } from '../signature.ts'
import { choosing, chosenBy } from './choose.ts'

export const has: Filter = {
  name: 'has',
  text: 'whether the member of any item equals a value',
  example: "{{ vars.users | has: 'name', 'bob' }}",
  types: signature(
    lists,
    [memberName, null],
    chosenBy(() => boolean),
    { least: 1 },
  ),
  cost: noCost,
  evaluate: choosing('has', (items, matches) => items.some(matches)),
}
