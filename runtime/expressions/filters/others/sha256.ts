import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const sha256: Filter = {
  name: 'sha256',
  text: 'the SHA-256 of a text, in hexadecimal',
  example: "{{ 'a' | sha256 | truncate: 12 }}",
  types: ofText(),
  cost: characters(1),
  evaluate: 'liquidjs',
}
