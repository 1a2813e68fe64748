import type { Filter } from '../definition.ts'
import { dateFilter, formatted, ofTime } from './format.ts'

export const dateToRfc822: Filter = {
  name: 'date_to_rfc822',
  text: 'a time as in an e-mail header',
  example: '{{ vars.time | date_to_rfc822 }}',
  types: ofTime('date_to_rfc822'),
  cost: formatted,
  evaluate: dateFilter('date_to_rfc822'),
}
