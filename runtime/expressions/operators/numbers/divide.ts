import { number } from '../../typing/model/index.ts'
import type { ValueOperator } from '../definition.ts'
import { fold, ofNumbers } from './fold.ts'

export const divide: ValueOperator = {
  name: '/',
  text: 'the quotient; division by zero is an error',
  example: { '/': [7, 2] },
  from: 'json-logic',
  takes: [2, 2],
  infix: { written: '/', binding: 6 },
  evaluate: fold((a, b) => a / b),
  types: ofNumbers(() => number),
}
