import { sizeOfText } from '../../liquid/text-member.ts'
import { has, integer } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { listsOrTexts, signature } from '../signature.ts'
import { ofTextOr } from './of-text.ts'

export const size: Filter = {
  name: 'size',
  text: 'the number of items, or of characters',
  example: '{{ vars.list | size }}',
  types: {
    ...signature(listsOrTexts, [], () => integer),
    hint: (value, name) => (has(value, 'object') ? `; use \`${name}.size\` for the number of its members` : ''),
  },
  cost: noCost,
  evaluate: ofTextOr('size', sizeOfText),
}
