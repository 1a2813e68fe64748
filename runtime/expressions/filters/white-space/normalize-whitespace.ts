import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const normalizeWhitespace: Filter = {
  name: 'normalize_whitespace',
  text: 'the text with one space for each run of white space',
  example: "{{ 'a   b' | normalize_whitespace }}",
  types: ofText(),
  cost: characters(4),
  evaluate: 'liquidjs',
}
