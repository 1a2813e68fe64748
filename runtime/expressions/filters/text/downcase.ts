import { cased } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const downcase: Filter = {
  name: 'downcase',
  text: 'the text in lower case',
  example: '{{ vars.name | downcase }}',
  types: ofText(),
  cost: cased,
  evaluate: 'liquidjs',
}
