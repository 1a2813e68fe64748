import { listOf, text } from '../../typing/model/index.ts'
import { need } from '../call.ts'
import type { ValueOperator } from '../definition.ts'
import { keysOf } from './keys-of.ts'

export const keys: ValueOperator = {
  name: 'keys',
  text: "the names of an object's members",
  example: { keys: { var: 'vars.devices.0' } },
  from: 'tocsin',
  takes: [1, 1],
  evaluate: (meter, value) => keysOf(meter, value),
  types(call) {
    need(call, 0, ['object'], 'an object')
    return listOf(text)
  },
}
