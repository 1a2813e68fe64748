import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const base64Decode: Filter = {
  name: 'base64_decode',
  text: 'the text that is in Base64',
  example: "{{ 'QWRh' | base64_decode }}",
  types: ofText(),
  cost: characters(2),
  evaluate: 'liquidjs',
}
