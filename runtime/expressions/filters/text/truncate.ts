import { text, union } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numeric, scalars, signature, textual } from '../signature.ts'

export const truncate: Filter = {
  name: 'truncate',
  text: 'the text cut to a number of characters, dots included',
  example: '{{ vars.name | truncate: 6 }}',
  types: signature(scalars, [numeric, textual], ({ input }) => union(input, text), { least: 0 }),
  cost: characters(1),
  evaluate: 'liquidjs',
}
