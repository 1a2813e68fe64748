import type { SpecialOperator } from '../definition.ts'
import { typesOfTest } from './loop.ts'
import { compileQuantifier } from './quantifier.ts'

export const some: SpecialOperator = {
  name: 'some',
  text: 'whether the condition holds for at least one item; inside, `var` reads from the item',
  example: { some: [{ var: 'vars.devices' }, { '==': [{ var: 'os' }, 'iOS'] }] },
  from: 'json-logic',
  takes: [2, 2],
  readsContext: false,
  loops: true,
  compile: compileQuantifier('some', { decisive: true, ended: true, ofEmpty: false }),
  types: typesOfTest,
}
