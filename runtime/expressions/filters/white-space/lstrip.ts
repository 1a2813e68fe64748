import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText, textual } from '../signature.ts'

export const lstrip: Filter = {
  name: 'lstrip',
  text: 'the text without white space at its start',
  example: "{{ '  a ' | lstrip }}",
  types: ofText(textual),
  cost: characters(4),
  evaluate: 'liquidjs',
}
