import { textOf } from '../../values.ts'
import type { ValueOperator } from '../definition.ts'
import { typesOfAffix } from './affix.ts'
import { chargedText } from './one-text.ts'

export const endsWith: ValueOperator = {
  name: 'ends_with',
  text: 'whether the text ends with another',
  example: { ends_with: [{ lower: { var: 'vars.user' } }, '@example.com'] },
  from: 'tocsin',
  takes: [2, 2],
  ofItself: true,
  evaluate: (meter, value, end) => textOf(value).endsWith(chargedText(meter, end)),
  types: typesOfAffix((value, end) => value.endsWith(end)),
}
