import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numeric, ofText, textual } from '../signature.ts'

export const truncatewords: Filter = {
  name: 'truncatewords',
  text: 'the text cut to a number of words',
  example: '{{ vars.name | truncatewords: 1 }}',
  types: ofText(numeric, textual),
  cost: characters(5),
  evaluate: 'liquidjs',
}
