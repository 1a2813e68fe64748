import type { SpecialOperator } from '../definition.ts'
import { typesOfTest } from './loop.ts'
import { compileQuantifier } from './quantifier.ts'

export const all: SpecialOperator = {
  name: 'all',
  text: 'whether the condition holds for every item; false for an empty list',
  example: { all: [{ var: 'vars.devices' }, { '!=': [{ var: 'os' }, ''] }] },
  from: 'json-logic',
  takes: [2, 2],
  readsContext: false,
  loops: true,
  compile: compileQuantifier('all', { decisive: false, ended: false, ofEmpty: false }),
  types: typesOfTest,
}
