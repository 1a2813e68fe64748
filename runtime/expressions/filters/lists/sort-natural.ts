import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { sorting, typesOfSorting } from './sorting.ts'

export const sortNatural: Filter = {
  name: 'sort_natural',
  text: 'the items sorted, ignoring case',
  example: '{{ vars.words | sort_natural }}',
  types: typesOfSorting,
  cost: noCost,
  evaluate: sorting(true),
}
