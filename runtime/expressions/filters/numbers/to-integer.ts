import { number } from '../../typing/model/index.ts'
import { characters } from '../costs.ts'
import type { Filter } from '../definition.ts'
import { scalars, signature } from '../signature.ts'
import { exact, isTooLong } from './exact.ts'

const needs = 'a number, or a text that is one'

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
  evaluate: exact('to_integer'),
}
