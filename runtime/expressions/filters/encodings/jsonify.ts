import { text } from '../../typing/model/index.ts'
import type { Filter } from '../definition.ts'
import { anything, numeric, signature } from '../signature.ts'
import { asJson } from './json-cost.ts'

export const jsonify: Filter = {
  name: 'jsonify',
  text: 'the value as JSON',
  example: '{{ vars.list | jsonify }}',
  types: signature(anything, [numeric], () => text, { least: 0 }),
  cost: asJson,
  evaluate: 'liquidjs',
}
