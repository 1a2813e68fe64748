import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'

export const hmacSha256: Filter = {
  name: 'hmac_sha256',
  text: 'the HMAC-SHA-256 of a text, in hexadecimal',
  example: "{{ 'a' | hmac_sha256: 'key' | truncate: 12 }}",
  types: withTexts(1),
  cost: characters(1),
  evaluate: 'liquidjs',
}
