import type { ValueOperator } from '../definition.ts'
import { cased, mapped } from './one-text.ts'

export const upper: ValueOperator = {
  name: 'upper',
  text: 'the text in upper case',
  example: { upper: { var: 'vars.user' } },
  from: 'tocsin',
  takes: [1, 1],
  evaluate: (meter, value) => cased(meter, value, (given) => given.toUpperCase()),
  types: mapped((value) => value.toUpperCase()),
}
