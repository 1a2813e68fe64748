import { many, type ValueOperator } from '../definition.ts'
import { fold, integerIfAll, ofNumbers } from './fold.ts'

export const multiply: ValueOperator = {
  name: '*',
  text: 'the product',
  example: { '*': [2, 3] },
  from: 'json-logic',
  takes: [2, many],
  infix: { written: '*', binding: 6 },
  evaluate: fold((a, b) => a * b),
  types: ofNumbers(integerIfAll),
}
