import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'
import { eachCharacter } from './each-character.ts'

export const urlEncode: Filter = {
  name: 'url_encode',
  text: 'the text encoded for the query of a URL; a space becomes `+`',
  example: '{{ vars.url | url_encode }}',
  types: ofText(),
  cost: characters(0.2),
  evaluate: eachCharacter('url_encode'),
}
