import { cased } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const upcase: Filter = {
  name: 'upcase',
  text: 'the text in upper case',
  example: '{{ vars.name | upcase }}',
  types: ofText(),
  cost: cased,
  evaluate: 'liquidjs',
}
