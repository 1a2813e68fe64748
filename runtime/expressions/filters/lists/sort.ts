import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { sorting, typesOfSorting } from './sorting.ts'

export const sort: Filter = {
  name: 'sort',
  text: 'the items sorted, or sorted by a member; upper case comes before lower case',
  example: "{{ vars.users | sort: 'age' }}",
  types: typesOfSorting,
  cost: noCost,
  evaluate: sorting(false),
}
