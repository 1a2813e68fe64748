import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'
import { search } from './search-cost.ts'

export const removeLast: Filter = {
  name: 'remove_last',
  text: 'the text without the last occurrence of another',
  example: "{{ vars.name | remove_last: 'e' }}",
  types: withTexts(1),
  cost: search,
  evaluate: 'liquidjs',
}
