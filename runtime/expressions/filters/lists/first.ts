import { firstOf } from '../../characters.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { listsOrTexts, signature } from '../signature.ts'
import { endOfList } from './items-of.ts'
import { ofTextOr } from './of-text.ts'

export const first: Filter = {
  name: 'first',
  text: 'the first item of a list, or character of a text',
  example: '{{ vars.list | first }}',
  types: signature(listsOrTexts, [], endOfList),
  cost: noCost,
  evaluate: ofTextOr('first', (_, text) => firstOf(text)),
}
