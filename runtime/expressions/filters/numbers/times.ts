import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, numeric, signature } from '../signature.ts'
import { exact } from './exact.ts'
import { integerIfAll } from './types.ts'

export const times: Filter = {
  name: 'times',
  text: 'the product',
  example: '{{ 3 | times: 2 }}',
  types: signature(numbers, [numeric], integerIfAll),
  cost: characters(1),
  evaluate: exact('times'),
}
