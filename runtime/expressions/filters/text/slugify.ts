import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText, textual } from '../signature.ts'

export const slugify: Filter = {
  name: 'slugify',
  text: 'the text in lower case with hyphens between its words, as for a URL',
  example: '{{ vars.name | slugify }}',
  types: ofText(textual, ['boolean']),
  cost: characters(8),
  evaluate: 'liquidjs',
}
