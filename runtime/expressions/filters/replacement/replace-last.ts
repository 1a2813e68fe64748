import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'
import { search } from './search-cost.ts'

export const replaceLast: Filter = {
  name: 'replace_last',
  text: 'the text with the last occurrence of another replaced',
  example: "{{ vars.name | replace_last: 'e', 'y' }}",
  types: withTexts(2, 1),
  cost: search,
  evaluate: 'liquidjs',
}
