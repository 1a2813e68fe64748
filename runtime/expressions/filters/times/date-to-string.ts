import type { Filter } from '../definition.ts'
import { textual } from '../signature.ts'
import { dateFilter, formatted, ofTime } from './format.ts'

export const dateToString: Filter = {
  name: 'date_to_string',
  text: 'a date with the short name of its month',
  example: '{{ vars.time | date_to_string }}',
  types: ofTime('date_to_string', textual, textual),
  cost: formatted,
  evaluate: dateFilter('date_to_string'),
}
