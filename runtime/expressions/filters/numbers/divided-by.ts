import { number } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { numbers, numeric, signature } from '../signature.ts'
import { exact } from './exact.ts'

export const dividedBy: Filter = {
  name: 'divided_by',
  text: 'the quotient',
  example: '{{ 7 | divided_by: 2 }}',
  types: signature(numbers, [numeric, ['boolean']], () => number, { least: 1 }),
  cost: characters(1),
  evaluate: exact('divided_by'),
}
