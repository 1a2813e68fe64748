import { many, type ValueOperator } from '../definition.ts'
import { fold, integerIfAll, ofNumbers } from './fold.ts'

export const max: ValueOperator = {
  name: 'max',
  text: 'the largest',
  example: { max: [3, 1, 2] },
  from: 'json-logic',
  takes: [1, many],
  evaluate: fold((a, b) => Math.max(a, b)),
  types: ofNumbers(integerIfAll),
}
