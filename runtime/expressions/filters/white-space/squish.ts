import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const squish: Filter = {
  name: 'squish',
  text: 'the text without white space at its ends, and with one space for each run of white space inside',
  example: "{{ '  a   b ' | squish }}",
  types: ofText(),
  cost: characters(4),
  evaluate: 'liquidjs',
}
