import { filters } from 'liquidjs'
import { number } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter, FilterFunction } from '../definition.ts'
import { scalars, signature } from '../signature.ts'

const original = (filters as unknown as { readonly to_integer: FilterFunction }).to_integer

export const toInteger: Filter = {
  name: 'to_integer',
  text: 'the number that a text contains; an error if a number cannot keep all its digits',
  example: "{{ '42' | to_integer }}",
  types: signature({ ...scalars, needs: 'a number, or a text that is one' }, [], () => number),
  cost: characters(0.5),
  evaluate: function (value) {
    // Such a text is mostly the id of something. Rounded, it would be the id of something else.
    if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) && !Number.isSafeInteger(Number(value)))
      throw new Error(`${value.trim().slice(0, 40)} has more digits than a number can keep; leave it a text`)
    return original.call(this, value)
  },
}
