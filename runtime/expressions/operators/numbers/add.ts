import { many, type ValueOperator } from '../definition.ts'
import { fold, integerIfAll, ofNumbers } from './fold.ts'

export const add: ValueOperator = {
  name: '+',
  text: 'the sum',
  example: { '+': [1, 2, 3] },
  from: 'json-logic',
  takes: [1, many],
  infix: { written: '+', binding: 5 },
  evaluate: fold((a, b) => a + b),
  types: ofNumbers(integerIfAll),
}
