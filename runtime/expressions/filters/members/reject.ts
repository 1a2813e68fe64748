import { listOf } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, memberName, signature } from '../signature.ts'
import { choosing, chosenBy } from './choose.ts'

export const reject: Filter = {
  name: 'reject',
  text: 'the items that `where` leaves out',
  example: "{{ vars.users | reject: 'name', 'bob' }}",
  types: signature(
    lists,
    [memberName, null],
    chosenBy((items) => listOf(items)),
    { least: 1 },
  ),
  cost: noCost,
  evaluate: choosing('reject', (items, matches) => items.filter((item) => !matches(item))),
}
