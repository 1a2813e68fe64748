import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { listsOrTexts, signature } from '../signature.ts'
import { endOfList } from './items-of.ts'

export const first: Filter = {
  name: 'first',
  text: 'the first item',
  example: '{{ vars.list | first }}',
  types: signature(listsOrTexts, [], endOfList),
  cost: noCost,
  evaluate: 'liquidjs',
}
