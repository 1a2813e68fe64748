import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { listsOrTexts, signature } from '../signature.ts'
import { endOfList } from './items-of.ts'

export const last: Filter = {
  name: 'last',
  text: 'the last item',
  example: '{{ vars.list | last }}',
  types: signature(listsOrTexts, [], endOfList),
  cost: noCost,
  evaluate: 'liquidjs',
}
