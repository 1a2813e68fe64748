import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'
import { search } from './search-cost.ts'

export const removeFirst: Filter = {
  name: 'remove_first',
  text: 'the text without the first occurrence of another',
  example: "{{ vars.name | remove_first: 'a' }}",
  types: withTexts(1),
  cost: search,
  evaluate: 'liquidjs',
}
