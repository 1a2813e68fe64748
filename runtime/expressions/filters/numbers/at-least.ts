import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, numeric, signature } from '../signature.ts'
import { exact } from './exact.ts'
import { integerIfAll } from './types.ts'

export const atLeast: Filter = {
  name: 'at_least',
  text: 'the larger of two numbers',
  example: '{{ vars.number | at_least: 0 }}',
  types: signature(numbers, [numeric], integerIfAll),
  cost: characters(1),
  evaluate: exact('at_least'),
}
