import { listOf, text } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { splitText } from '../replacement/pieces.ts'
import { scalars, signature, textual } from '../signature.ts'

export const split: Filter = {
  name: 'split',
  text: 'the parts of a text between the occurrences of another',
  example: "{{ vars.name | split: ' ' }}",
  types: signature(scalars, [textual], () => listOf(text)),
  cost: characters(0.2),
  evaluate: function (value, separator) {
    return splitText(this, value, separator)
  },
}
