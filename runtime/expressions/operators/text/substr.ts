import type { Json } from '../../../domain/index.ts'
import { ofCounting, sliceOf } from '../../characters.ts'
import { text } from '../../typing/model/index.ts'
import { numberOf } from '../../values.ts'
import type { Meter } from '../../work.ts'
import { need } from '../call.ts'
import type { ValueOperator } from '../definition.ts'
import { chargedText } from './one-text.ts'

/** As in json-logic: a negative start counts from the end, and a negative length leaves out that many characters at the end. */
function part(meter: Meter, value: Json | undefined, start: number, length: number | undefined): string {
  const given = chargedText(meter, value)
  meter.charge(2 * ofCounting(given))
  const rest = sliceOf(given, start)
  return length === undefined ? rest : sliceOf(rest, 0, length)
}

export const substr: ValueOperator = {
  name: 'substr',
  text: 'part of a text: the position of its first character, negative from the end, and perhaps its length',
  example: { substr: ['abcdef', -3, 2] },
  from: 'json-logic',
  takes: [2, 3],
  evaluate: (meter, value, start, length) => part(meter, value, numberOf(start), length === undefined ? undefined : numberOf(length)),
  types(call) {
    need(call, 0, ['text'], 'a text')
    need(call, 1, ['number'], 'a number')
    need(call, 2, ['number'], 'a number')
    return text
  },
}
