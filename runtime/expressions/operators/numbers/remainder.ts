import type { ValueOperator } from '../definition.ts'
import { fold, integerIfAll, ofNumbers } from './fold.ts'

export const remainder: ValueOperator = {
  name: '%',
  text: 'the remainder of a division',
  example: { '%': [7, 2] },
  from: 'json-logic',
  takes: [2, 2],
  infix: { written: '%', binding: 6 },
  evaluate: fold((a, b) => a % b),
  types: ofNumbers(integerIfAll),
}
