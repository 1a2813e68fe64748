import { factOf, holds } from '../../flow/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'

/** Steps that nothing leads to, and conditions that are decided already where they are asked. */
export const reach: Rule = {
  codes: ['step_unreachable', 'condition_decided'],
  check(subject, report) {
    for (const { step, after } of subject.flow.dead) {
      const { line } = subject.document.locate(after.path)
      const why = after.kind === 'stop' ? `the run stops on line ${line}` : `the run has stopped whichever way \`${after.id}\` (line ${line}) goes`
      report.at('step_unreachable', step.path, `this step is never reached: ${why}`)
    }
    decided(subject, report)
  },
}

/** A case that an earlier one of the same condition takes, an `if` inside the same `if`. */
function decided({ flow }: Subject, report: Report): void {
  for (const { expression, state, step } of flow.places) {
    if (expression.form !== 'condition' || !state.reachable || typeof expression.value !== 'object') continue
    const always = holds(state, factOf(expression.value, true))
    if (!always && !holds(state, factOf(expression.value, false))) continue
    const what = step?.kind === 'switch' ? 'this case' : 'this condition'
    const told = always ? 'always holds here' : 'never holds here'
    report.at('condition_decided', expression.path, `${what} ${told}: the same was asked before on the way to it`)
  }
}
