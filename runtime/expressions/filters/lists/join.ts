import { text } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature, textual } from '../signature.ts'
import { joining } from './joined.ts'

export const join: Filter = {
  name: 'join',
  text: 'the items as one text, with another text between them',
  example: "{{ vars.words | join: ', ' }}",
  types: signature(lists, [textual], () => text, { least: 0 }),
  cost: characters(1),
  evaluate: joining('join'),
}
