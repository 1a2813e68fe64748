import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'
import { eachCharacter } from './each-character.ts'

export const cgiEscape: Filter = {
  name: 'cgi_escape',
  text: 'the text encoded for a form; a space becomes `+`',
  example: '{{ vars.url | cgi_escape }}',
  types: ofText(),
  cost: characters(0.2),
  evaluate: eachCharacter('cgi_escape'),
}
