import { integer } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, signature } from '../signature.ts'
import { exact } from './exact.ts'

export const ceil: Filter = {
  name: 'ceil',
  text: 'the number rounded up',
  example: '{{ vars.number | ceil }}',
  types: signature(numbers, [], () => integer),
  cost: characters(1),
  evaluate: exact('ceil'),
}
