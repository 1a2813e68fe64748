import { text } from '../../typing/model/index.ts'
import type { Filter } from '../definition.ts'
import { anything, numeric, signature } from '../signature.ts'
import { asJson } from './json-cost.ts'

export const json: Filter = {
  name: 'json',
  text: 'the value as JSON',
  example: '{{ vars.users | json }}',
  types: signature(anything, [numeric], () => text, { least: 0 }),
  cost: asJson,
  evaluate: 'liquidjs',
}
