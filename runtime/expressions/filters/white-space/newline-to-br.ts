import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const newlineToBr: Filter = {
  name: 'newline_to_br',
  text: 'the text with `<br />` before each line break',
  example: "{{ 'a b' | newline_to_br }}",
  types: ofText(),
  cost: characters(4),
  evaluate: 'liquidjs',
}
