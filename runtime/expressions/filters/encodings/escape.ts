import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'
import { eachCharacter } from './each-character.ts'

export const escapeHtml: Filter = {
  name: 'escape',
  text: 'the text escaped for HTML',
  example: "{{ '<a>' | escape }}",
  types: ofText(),
  cost: characters(0.2),
  evaluate: eachCharacter('escape'),
}
