import { many, type SpecialOperator } from '../definition.ts'
import { compileJunction, typesOfJunction } from './junction.ts'

export const and: SpecialOperator = {
  name: 'and',
  text: 'the first argument that does not count as true, else the last',
  example: { and: [true, { '!=': [{ var: 'vars.user' }, ''] }] },
  from: 'json-logic',
  takes: [1, many],
  infix: { written: 'and', binding: 2 },
  readsContext: false,
  loops: false,
  compile: compileJunction(false),
  types: typesOfJunction,
}
