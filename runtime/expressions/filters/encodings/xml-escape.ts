import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'
import { eachCharacter } from './each-character.ts'

export const xmlEscape: Filter = {
  name: 'xml_escape',
  text: 'the text escaped for XML',
  example: "{{ '<a>' | xml_escape }}",
  types: ofText(),
  cost: characters(0.2),
  evaluate: eachCharacter('xml_escape'),
}
