import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { withTexts } from '../signature.ts'
import { replaceAll } from './pieces.ts'

export const replace: Filter = {
  name: 'replace',
  text: 'the text with every occurrence of another replaced',
  example: "{{ vars.name | replace: 'a', 'o' }}",
  types: withTexts(2, 1),
  cost: characters(0.2),
  evaluate: function (value, what, by) {
    return replaceAll(this, value, what, by)
  },
}
