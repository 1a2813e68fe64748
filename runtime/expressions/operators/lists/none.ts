import type { SpecialOperator } from '../definition.ts'
import { typesOfTest } from './loop.ts'
import { compileQuantifier } from './quantifier.ts'

export const none: SpecialOperator = {
  name: 'none',
  text: 'whether the condition holds for no item',
  example: { none: [{ var: 'vars.devices' }, { '==': [{ var: 'os' }, 'Windows'] }] },
  from: 'json-logic',
  takes: [2, 2],
  readsContext: false,
  loops: true,
  compile: compileQuantifier('none', { decisive: true, ended: false, ofEmpty: true }),
  types: typesOfTest,
}
