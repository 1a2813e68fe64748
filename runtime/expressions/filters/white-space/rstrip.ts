import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText, textual } from '../signature.ts'

export const rstrip: Filter = {
  name: 'rstrip',
  text: 'the text without white space at its end',
  example: "{{ '  a ' | rstrip }}",
  types: ofText(textual),
  cost: characters(4),
  evaluate: 'liquidjs',
}
