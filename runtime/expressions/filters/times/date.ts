import type { Filter } from '../definition.ts'
import { textual } from '../signature.ts'
import { unknownDirective } from './directives.ts'
import { dateFilter, formatted, ofTime } from './format.ts'

export const date: Filter = {
  name: 'date',
  text: 'a time (ISO 8601 or epoch milliseconds) in the given format, in UTC',
  example: "{{ vars.time | date: '%H:%M' }}",
  types: { ...ofTime('date', textual, ['number', 'text']), refusesArguments: unknownDirective },
  cost: formatted,
  evaluate: dateFilter('date'),
}
