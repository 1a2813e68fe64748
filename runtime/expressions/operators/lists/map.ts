import { listOf } from '../../typing/model/index.ts'
import type { SpecialOperator } from '../definition.ts'
import { compileCollection } from './collect.ts'
import { typesOfBody } from './loop.ts'

export const map: SpecialOperator = {
  name: 'map',
  text: 'a list with one value for each item',
  example: { map: [{ var: 'vars.devices' }, { var: 'os' }] },
  from: 'json-logic',
  takes: [2, 2],
  readsContext: false,
  loops: true,
  compile: compileCollection('map', (items, value) => void items.push(value)),
  types: (use) => listOf(typesOfBody(use).result),
}
