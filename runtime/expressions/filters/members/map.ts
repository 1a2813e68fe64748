import { meterOf } from '../../liquid/context.ts'
import { textLength } from '../../liquid/cost.ts'
import { listOf } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, memberName, signature } from '../signature.ts'
import { itemsIn, readPath } from './read.ts'
import { memberOfItems } from './types.ts'

export const map: Filter = {
  name: 'map',
  text: 'a member of each item; null if an item does not have it',
  example: "{{ vars.users | map: 'admin' }}",
  types: signature(lists, [memberName], (call) => listOf(memberOfItems(call))),
  cost: noCost,
  evaluate: function (value, property) {
    const { context } = this
    textLength(meterOf(context), property)
    const path = String(property).split('.')
    return itemsIn(value).map((item) => readPath(context, item, path) ?? null)
  },
}
