import { lastOf } from '../../characters.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { listsOrTexts, signature } from '../signature.ts'
import { endOfList } from './items-of.ts'
import { ofTextOr } from './of-text.ts'

export const last: Filter = {
  name: 'last',
  text: 'the last item of a list, or character of a text',
  example: '{{ vars.list | last }}',
  types: signature(listsOrTexts, [], endOfList),
  cost: noCost,
  evaluate: ofTextOr('last', (_, text) => lastOf(text)),
}
