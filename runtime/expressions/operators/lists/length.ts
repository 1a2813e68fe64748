import type { Json } from '../../../domain/index.ts'
import { charactersOf, ofCounting } from '../../characters.ts'
import { integer } from '../../typing/model/index.ts'
import { kindOf } from '../../values.ts'
import type { Meter } from '../../work.ts'
import { need } from '../call.ts'
import type { ValueOperator } from '../definition.ts'
import { keysOf } from './keys-of.ts'

function lengthOf(meter: Meter, value: Json | undefined): number {
  if (Array.isArray(value)) return value.length
  if (typeof value === 'string') {
    meter.charge(ofCounting(value))
    return charactersOf(value)
  }
  if (typeof value === 'object' && value !== null) return keysOf(meter, value).length
  throw new Error(`needs a list, a text or an object, not ${kindOf(value)}`)
}

export const length: ValueOperator = {
  name: 'length',
  text: 'the number of items, characters or members',
  example: { length: { var: 'vars.tags' } },
  from: 'tocsin',
  takes: [1, 1],
  evaluate: (meter, value) => lengthOf(meter, value),
  types(call) {
    need(call, 0, ['list', 'text', 'object'], 'a list, a text or an object')
    return integer
  },
}
