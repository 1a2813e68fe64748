import { listOf, objectOf } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, memberName, signature } from '../signature.ts'
import { chosenBy } from './choose.ts'
import { objectsIn, readerOf } from './read.ts'

export const groupBy: Filter = {
  name: 'group_by',
  text: 'the items grouped by a member: a list of objects with `name` and `items`',
  example: "{{ vars.users | group_by: 'name' | map: 'name' }}",
  types: signature(
    lists,
    [memberName],
    chosenBy((items, name) => listOf(objectOf({ name, items: listOf(items, 1) }))),
  ),
  cost: noCost,
  evaluate: function (value, property) {
    const read = readerOf(this.context, property)
    const groups = new Map<unknown, unknown[]>()
    for (const item of objectsIn(value, 'group_by')) {
      const name = read(item)
      const group = groups.get(name)
      if (group) group.push(item)
      else groups.set(name, [item])
    }
    return [...groups].map(([name, items]) => ({ name, items }))
  },
}
