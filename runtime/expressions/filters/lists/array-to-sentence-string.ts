import { text, union } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { lists, signature, textual } from '../signature.ts'
import { itemsOf } from './items-of.ts'
import { joining } from './joined.ts'

export const arrayToSentenceString: Filter = {
  name: 'array_to_sentence_string',
  text: 'the items as part of a sentence',
  example: '{{ vars.words | array_to_sentence_string }}',
  types: signature(lists, [textual], ({ input }) => union(itemsOf(input), text), { least: 0 }),
  cost: characters(1),
  evaluate: joining('array_to_sentence_string'),
}
