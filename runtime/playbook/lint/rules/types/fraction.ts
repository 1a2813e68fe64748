import * as typing from '../../../../expressions/typing/index.ts'
import { defineRule } from '../../rule.ts'
import { typingOf } from '../../typing/index.ts'
import { placesOf } from './needed.ts'

/** An input of the playbook, perhaps with a default. Filters such as `round` say that its author knows of fractions. */
const plainInput = /^\s*\{\{-?\s*inputs\.[\w-]+\s*(?:\|\s*default\s*:[^|}]*)?-?\}\}\s*$/

/** Checks that an integer does not come from an input that takes fractions. */
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
    const known = typingOf(subject)
    for (const [step, state] of subject.flow.entering) {
      if (!state.reachable) continue
      for (const { value, path, needed } of placesOf(step, subject)) {
        if (typeof value !== 'string' || !plainInput.test(value) || needed.number?.integer !== true) continue
        const { type, fallbacks } = typing.typeOfTemplate(value, known.at(step, state), subject.world.filters())
        const { number } = type
        if (number === null || number.integer || number.values !== null || typing.isOfAny(type) || fallbacks.some(isFraction)) continue
        report.at(
          'fraction_possible',
          path,
          'this needs an integer, and the input takes any number; give the input `type: integer`, or add `| round`',
        )
      }
    }
  },
})

/** Another rule reports such a default. */
function isFraction({ type }: { readonly type: typing.Type }): boolean {
  return type.number?.integer === false
}
