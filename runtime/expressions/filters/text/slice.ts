import type { Type } from '../../typing/model/index.ts'
import { any, isAny, isNever, listOf, never, text, union, without } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import type { FilterCall } from '../signature.ts'
import { listsOrTexts, numeric, signature } from '../signature.ts'

function typeOfSlice({ input }: FilterCall): Type {
  if (isAny(input)) return any
  return union(
    input.list === null && !input.null ? never : listOf(input.list?.items ?? never),
    isNever(without(input, 'list', 'null')) ? never : text,
  )
}

export const slice: Filter = {
  name: 'slice',
  text: 'part of a text or list: where it starts, from 0, and how long it is (1 if not given)',
  example: '{{ vars.list | slice: 1, 2 }}',
  types: signature(listsOrTexts, [numeric, numeric], typeOfSlice, { least: 1 }),
  cost: characters(1),
  evaluate: 'liquidjs',
}
