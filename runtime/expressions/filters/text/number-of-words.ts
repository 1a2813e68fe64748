import { integer } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { scalars, signature, textual } from '../signature.ts'

export const numberOfWords: Filter = {
  name: 'number_of_words',
  text: 'the number of words',
  example: '{{ vars.name | number_of_words }}',
  types: signature(scalars, [textual], () => integer, { least: 0 }),
  cost: characters(6),
  evaluate: 'liquidjs',
}
