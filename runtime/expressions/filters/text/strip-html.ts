import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const stripHtml: Filter = {
  name: 'strip_html',
  text: 'the text without HTML tags',
  example: "{{ '<b>a</b>' | strip_html }}",
  types: ofText(),
  cost: characters(5),
  evaluate: 'liquidjs',
}
