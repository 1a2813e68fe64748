import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'
import { replaceAll } from './pieces.ts'

export const remove: Filter = {
  name: 'remove',
  text: 'the text without any occurrence of another',
  example: "{{ vars.name | remove: 'a' }}",
  types: withTexts(1),
  cost: characters(0.2),
  evaluate: function (value, what) {
    return replaceAll(this, value, what, '')
  },
}
