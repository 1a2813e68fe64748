import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'

export const prepend: Filter = {
  name: 'prepend',
  text: 'the text with another one before it',
  example: "{{ vars.name | prepend: 'Dr. ' }}",
  types: withTexts(1),
  cost: characters(0.2),
  evaluate: 'liquidjs',
}
