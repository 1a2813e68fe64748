import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'
import { eachCharacter } from './each-character.ts'

export const uriEscape: Filter = {
  name: 'uri_escape',
  text: 'the text with the characters encoded that no URL may contain; separators stay',
  example: '{{ vars.url | uri_escape }}',
  types: ofText(),
  cost: characters(0.2),
  evaluate: eachCharacter('uri_escape'),
}
