import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'
import { search } from './search-cost.ts'

export const replaceFirst: Filter = {
  name: 'replace_first',
  text: 'the text with the first occurrence of another replaced',
  example: "{{ vars.name | replace_first: 'a', 'o' }}",
  types: withTexts(2, 1),
  cost: search,
  evaluate: 'liquidjs',
}
