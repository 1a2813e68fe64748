import { number } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { scalars, signature } from '../signature.ts'

export const toInteger: Filter = {
  name: 'to_integer',
  text: 'the number that a text contains',
  example: "{{ '42' | to_integer }}",
  types: signature({ ...scalars, needs: 'a number, or a text that is one' }, [], () => number),
  cost: characters(0.5),
  evaluate: 'liquidjs',
}
