import type { ValueOperator } from '../definition.ts'
import { cased, mapped } from './one-text.ts'

export const lower: ValueOperator = {
  name: 'lower',
  text: 'the text in lower case',
  example: { lower: { var: 'vars.user' } },
  from: 'tocsin',
  takes: [1, 1],
  evaluate: (meter, value) => cased(meter, value, (given) => given.toLowerCase()),
  types: mapped((value) => value.toLowerCase()),
}
