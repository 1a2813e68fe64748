import type { Json } from '../../../domain/index.ts'
import { ofCharacters, ofText } from '../../cost.ts'
import { text } from '../../typing/model/index.ts'
import { kindOf } from '../../values.ts'
import type { Meter, Work } from '../../work.ts'
import { each } from '../call.ts'
import { many, type ValueOperator } from '../definition.ts'

function piece(value: Json): string {
  if (typeof value === 'object') throw new Error(`joins texts, numbers and booleans, not ${kindOf(value)}`)
  return String(value)
}

/** Joins texts. Charges for the result before it is made. */
function join(meter: Meter, values: readonly Json[]): string {
  const pieces = values.map(piece)
  meter.charge(values.reduce<Work>((sum, value) => sum + ofText(value), 0) + ofCharacters(pieces.reduce((sum, { length }) => sum + length, 0)))
  return pieces.join('')
}

export const cat: ValueOperator = {
  name: 'cat',
  text: 'texts, numbers and booleans joined to one text',
  example: { cat: ['a', 1] },
  from: 'json-logic',
  takes: [1, many],
  evaluate: (meter, ...values) => join(meter, values),
  types: each(['text', 'number', 'boolean'], 'texts, numbers and booleans', () => text),
}
