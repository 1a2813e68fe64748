import { text } from '../../typing/model/index.ts'
import type { Filter } from '../definition.ts'
import { anything, numeric, signature } from '../signature.ts'
import { asJson } from './json-cost.ts'

export const inspect: Filter = {
  name: 'inspect',
  text: 'the value as JSON',
  example: '{{ vars.name | inspect }}',
  types: signature(anything, [numeric], () => text, { least: 0 }),
  cost: asJson,
  evaluate: 'liquidjs',
}
