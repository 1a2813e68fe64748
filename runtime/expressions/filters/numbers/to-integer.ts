import { filters } from 'liquidjs'
import { number } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter, FilterFunction } from '../definition.ts'
import { scalars, signature } from '../signature.ts'

const original = (filters as unknown as { readonly to_integer: FilterFunction }).to_integer

const needs = 'a number, or a text that is one'

/** Returns whether a text is an integer that a number cannot keep. Such a text is mostly an id. Rounded, it would be another id. */
function isTooLong(text: string): boolean {
  return /^\s*[+-]?\d+\s*$/.test(text) && !Number.isSafeInteger(Number(text))
}

export const toInteger: Filter = {
  name: 'to_integer',
  text: 'the number that a text contains; an error if a number cannot keep all its digits',
  example: "{{ '42' | to_integer }}",
  types: {
    ...signature({ ...scalars, needs }, [], () => number),
    refuses({ text }, name) {
      const wrong = text?.values?.every((one) => !Number.isFinite(Number(one)) || isTooLong(one))
      return wrong ? `\`to_integer\` needs ${needs}, and \`${name}\` is not` : null
    },
  },
  cost: characters(0.5),
  evaluate: function (value) {
    if (typeof value === 'string' && isTooLong(value))
      throw new Error(`${value.trim().slice(0, 40)} has more digits than a number can keep; leave it a text`)
    return original.call(this, value)
  },
}
