import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { ofText } from '../signature.ts'

export const escapeOnce: Filter = {
  name: 'escape_once',
  text: 'the text escaped for HTML; what is escaped already stays',
  example: "{{ '&lt;a>' | escape_once }}",
  types: ofText(),
  cost: characters(10),
  evaluate: 'liquidjs',
}
