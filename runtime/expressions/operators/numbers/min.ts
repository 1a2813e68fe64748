import { many, type ValueOperator } from '../definition.ts'
import { fold, integerIfAll, ofNumbers } from './fold.ts'

export const min: ValueOperator = {
  name: 'min',
  text: 'the smallest',
  example: { min: [3, 1, 2] },
  from: 'json-logic',
  takes: [1, many],
  evaluate: fold((a, b) => Math.min(a, b)),
  types: ofNumbers(integerIfAll),
}
