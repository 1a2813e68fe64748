import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const stripNewlines: Filter = {
  name: 'strip_newlines',
  text: 'the text without line breaks',
  example: "{{ 'a b' | strip_newlines }}",
  types: ofText(),
  cost: characters(3),
  evaluate: 'liquidjs',
}
