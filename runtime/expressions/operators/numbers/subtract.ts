import { numberOf } from '../../values.ts'
import type { ValueOperator } from '../definition.ts'
import { finite, integerIfAll, ofNumbers } from './fold.ts'

export const subtract: ValueOperator = {
  name: '-',
  text: 'the difference; with one argument, its negative',
  example: { '-': [3, 1] },
  from: 'json-logic',
  takes: [1, 2],
  infix: { written: '-', binding: 5 },
  evaluate: (_meter, a, b) => (b === undefined ? -numberOf(a) : finite(numberOf(a) - numberOf(b))),
  types: ofNumbers(integerIfAll),
}
