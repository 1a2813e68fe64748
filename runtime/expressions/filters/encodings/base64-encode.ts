import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const base64Encode: Filter = {
  name: 'base64_encode',
  text: 'the text in Base64',
  example: '{{ vars.name | base64_encode }}',
  types: ofText(),
  cost: characters(1),
  evaluate: 'liquidjs',
}
