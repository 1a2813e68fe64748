import type { Filter } from '../definition.ts'
import { dateFilter, formatted, ofTime } from './format.ts'

export const dateToXmlschema: Filter = {
  name: 'date_to_xmlschema',
  text: 'a time in ISO 8601',
  example: '{{ vars.time | date_to_xmlschema }}',
  types: ofTime('date_to_xmlschema'),
  cost: formatted,
  evaluate: dateFilter('date_to_xmlschema'),
}
