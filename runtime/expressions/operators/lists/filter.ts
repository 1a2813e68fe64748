import { type Environment, isAny, listOf, type Type, withFacts } from '../../typing/model/index.ts'
import { factsOfRule } from '../../typing/rules/facts.ts'
import { inLoop } from '../../typing/rules/scope.ts'
import { truthy } from '../../values.ts'
import type { SpecialOperator } from '../definition.ts'
import { compileCollection } from './collect.ts'
import { typesOfBody } from './loop.ts'

function narrowedItem(item: Type, environment: Environment): Type {
  const { object } = item
  if (object === null) return item
  return { ...item, object: { ...object, fields: new Map([...object.fields.keys()].map((name) => [name, environment.root(name)])) } }
}

export const filter: SpecialOperator = {
  name: 'filter',
  text: 'the items for which the condition holds',
  example: { filter: [{ var: 'vars.devices' }, { '>': [{ var: ['age', 0] }, 1] }] },
  from: 'json-logic',
  takes: [2, 2],
  readsContext: false,
  loops: true,
  compile: compileCollection('filter', (items, value, item) => void (truthy(value) && items.push(item))),
  types(use) {
    const { item } = typesOfBody(use)
    const kept = withFacts(inLoop(item).environment, factsOfRule(use.args[1] ?? null, true))
    return listOf(isAny(item) || item.object === null ? item : narrowedItem(item, kept))
  },
}
