import { textOf } from '../../values.ts'
import type { ValueOperator } from '../definition.ts'
import { typesOfAffix } from './affix.ts'
import { chargedText } from './one-text.ts'

export const startsWith: ValueOperator = {
  name: 'starts_with',
  text: 'whether the text starts with another',
  example: { starts_with: [{ var: 'vars.ip' }, '10.'] },
  from: 'tocsin',
  takes: [2, 2],
  ofItself: true,
  evaluate: (meter, value, start) => textOf(value).startsWith(chargedText(meter, start)),
  types: typesOfAffix((value, start) => value.startsWith(start)),
}
