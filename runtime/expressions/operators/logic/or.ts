import { many, type SpecialOperator } from '../definition.ts'
import { compileJunction, typesOfJunction } from './junction.ts'

export const or: SpecialOperator = {
  name: 'or',
  text: 'the first argument that counts as true, else the last',
  example: { or: [{ var: ['vars.nobody', null] }, []] },
  from: 'json-logic',
  takes: [1, many],
  infix: { written: 'or', binding: 1 },
  readsContext: false,
  loops: false,
  compile: compileJunction(true),
  types: typesOfJunction,
}
