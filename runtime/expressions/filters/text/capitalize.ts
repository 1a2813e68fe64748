import { cased } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const capitalize: Filter = {
  name: 'capitalize',
  text: 'the first letter in upper case, the rest in lower case',
  example: '{{ vars.name | capitalize }}',
  types: ofText(),
  cost: cased,
  evaluate: 'liquidjs',
}
