import * as typing from '../../../../expressions/typing/index.ts'
import { defineRule } from '../../rule.ts'
import { type Place, typedPlaces } from './needed.ts'

/** A template that is only an input, perhaps with a default. With a filter such as `round`, its author has thought of fractions. */
const plainInput = /^\s*\{\{-?\s*inputs\.[\w-]+\s*(?:\|\s*default\s*:[^|}]*)?-?\}\}\s*$/

/** Warns if a value must be an integer, and comes from an input that may have a fraction. */
export const fraction = defineRule({
  codes: {
    fraction_possible: {
      severity: 'warning',
      title: 'An integer is needed, and the number may have a fraction',
      why: 'The input takes any number, so an alert with 2.5 fails the step.',
      wrong:
        "inputs: { count: { type: number, from: [content.count], required: true } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    with: { max_items: '{{ inputs.count }}' }",
      right:
        "inputs: { count: { type: integer, from: [content.count], required: true } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    with: { max_items: '{{ inputs.count }}' }",
    },
  },
  check(subject, report) {
    for (const { path, type, fallbacks } of typedPlaces(subject, takesIntegerFromInput)) {
      const { number } = type
      if (number === null || number.integer || number.values !== null || typing.isOfAny(type) || fallbacks.some(isFraction)) continue
      report.at('fraction_possible', path, 'this needs an integer, and the input takes any number; give the input `type: integer`, or add `| round`')
    }
  },
})

function takesIntegerFromInput({ value, needed }: Place): boolean {
  return typeof value === 'string' && plainInput.test(value) && needed.number?.integer === true
}

/** `default_never_fits` reports such a default. */
function isFraction({ type }: { readonly type: typing.Type }): boolean {
  return type.number?.integer === false
}
