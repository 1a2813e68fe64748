import type { Filter } from '../definition.ts'
import { textual } from '../signature.ts'
import { dateFilter, formatted, ofTime } from './format.ts'

export const dateToLongString: Filter = {
  name: 'date_to_long_string',
  text: 'a date with the full name of its month',
  example: '{{ vars.time | date_to_long_string }}',
  types: ofTime('date_to_long_string', textual, textual),
  cost: formatted,
  evaluate: dateFilter('date_to_long_string'),
}
