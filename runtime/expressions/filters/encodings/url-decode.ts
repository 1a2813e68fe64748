import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const urlDecode: Filter = {
  name: 'url_decode',
  text: 'the text that `url_encode` encoded',
  example: "{{ 'a+b%26' | url_decode }}",
  types: ofText(),
  cost: characters(3),
  evaluate: 'liquidjs',
}
