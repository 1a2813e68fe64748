import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText, textual } from '../signature.ts'

export const strip: Filter = {
  name: 'strip',
  text: 'the text without white space at its ends',
  example: "{{ '  a b ' | strip }}",
  types: ofText(textual),
  cost: characters(4),
  evaluate: 'liquidjs',
}
