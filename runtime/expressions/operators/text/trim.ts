import type { ValueOperator } from '../definition.ts'
import { chargedText, mapped } from './one-text.ts'

export const trim: ValueOperator = {
  name: 'trim',
  text: 'the text without white space at its ends',
  example: { trim: '  a ' },
  from: 'tocsin',
  takes: [1, 1],
  evaluate: (meter, value) => chargedText(meter, value).trim(),
  types: mapped((value) => value.trim()),
}
