import { number } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { checkDigits } from '../numbers/exact.ts'
import { lists, memberName, signature } from '../signature.ts'
import { readings } from './readings.ts'
import { memberOfItems } from './types.ts'

export const sum: Filter = {
  name: 'sum',
  text: 'the sum of the items, or of a member of each',
  example: "{{ vars.users | sum: 'age' }}",
  types: signature(
    lists,
    [memberName],
    (call) => {
      if (call.args.length > 0) memberOfItems(call)
      return number
    },
    { least: 0 },
  ),
  cost: noCost,
  evaluate: function (value, property) {
    // As in Liquid, a value that is not a number counts as 0.
    return readings(this, value, property).reduce((all, reading) => {
      checkDigits(reading.value)
      return all + (Number(reading.value) || 0)
    }, 0)
  },
}
