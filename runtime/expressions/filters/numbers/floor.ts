import { integer } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, signature } from '../signature.ts'
import { exact } from './exact.ts'

export const floor: Filter = {
  name: 'floor',
  text: 'the number rounded down',
  example: '{{ vars.number | floor }}',
  types: signature(numbers, [], () => integer),
  cost: characters(1),
  evaluate: exact('floor'),
}
