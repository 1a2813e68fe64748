import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, numeric, signature } from '../signature.ts'
import { exact } from './exact.ts'
import { integerIfAll } from './types.ts'

export const atMost: Filter = {
  name: 'at_most',
  text: 'the smaller of two numbers',
  example: '{{ 700 | at_most: 100 }}',
  types: signature(numbers, [numeric], integerIfAll),
  cost: characters(1),
  evaluate: exact('at_most'),
}
