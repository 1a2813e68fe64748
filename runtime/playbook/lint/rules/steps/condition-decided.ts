import { factOf, holds } from '../../flow/index.ts'
import { defineRule } from '../../rule.ts'

/** Finds, for example, a case that an earlier case with the same condition takes, and an `if` inside the same `if`. */
export const conditionDecided = defineRule({
  codes: {
    condition_decided: {
      severity: 'warning',
      title: 'The result of a condition is already known',
      why: 'The same condition was checked earlier on the way to it, so one of its branches is never taken. Often the condition was copied and not changed.',
      wrong:
        "- id: ada\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  then:\n    - id: again\n      if: { '==': [{ var: [inputs.user, ''] }, ada] }\n      case: { note: Ada }",
      right: "- id: ada\n  if: { '==': [{ var: [inputs.user, ''] }, ada] }\n  then:\n    - id: again\n      case: { note: Ada }",
    },
  },
  check({ flow }, report) {
    for (const { expression, state, step } of flow.places) {
      if (expression.form !== 'condition' || !state.reachable || typeof expression.value !== 'object') continue
      const always = holds(state, factOf(expression.value, true))
      if (!always && !holds(state, factOf(expression.value, false))) continue
      const what = step?.kind === 'switch' ? 'this case' : 'this condition'
      const told = always ? 'is always true here' : 'is never true here'
      report.at('condition_decided', expression.path, `${what} ${told}: the same condition was checked before`)
    }
  },
})
