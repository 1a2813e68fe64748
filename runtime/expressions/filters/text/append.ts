import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'

export const append: Filter = {
  name: 'append',
  text: 'the text with another one after it',
  example: "{{ vars.name | append: '!' }}",
  types: withTexts(1),
  cost: characters(0.2),
  evaluate: 'liquidjs',
}
