import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, numeric, signature } from '../signature.ts'
import { exact } from './exact.ts'
import { integerIfAll } from './types.ts'

export const modulo: Filter = {
  name: 'modulo',
  text: 'the remainder of a division',
  example: '{{ 7 | modulo: 2 }}',
  types: signature(numbers, [numeric], integerIfAll),
  cost: characters(1),
  evaluate: exact('modulo'),
}
