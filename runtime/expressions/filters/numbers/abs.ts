import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, signature } from '../signature.ts'
import { exact } from './exact.ts'
import { integerIfAll } from './types.ts'

export const abs: Filter = {
  name: 'abs',
  text: 'the number without its sign',
  example: '{{ vars.number | abs }}',
  types: signature(numbers, [], integerIfAll),
  cost: characters(1),
  evaluate: exact('abs'),
}
