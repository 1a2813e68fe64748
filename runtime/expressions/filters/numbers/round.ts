import { integer, number } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, numeric, signature } from '../signature.ts'
import { exact } from './exact.ts'

export const round: Filter = {
  name: 'round',
  text: 'the number rounded to an integer, or to a number of decimal places',
  example: '{{ vars.number | round: 1 }}',
  types: signature(numbers, [numeric], ({ args }) => (args.length === 0 ? integer : number), { least: 0 }),
  cost: characters(1),
  evaluate: exact('round'),
}
