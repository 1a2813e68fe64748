import { isTemplate } from '../../../../expressions/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import type { StepNode } from '../../document/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'
import { typingOf } from '../../typing/index.ts'
import { expressionTypes } from './expression-types.ts'

const { not_a_list, value_may_be_missing, value_may_be_null } = expressionTypes.codes

/** Checks that `foreach` gets a list. */
export const loopList = defineRule({
  codes: { not_a_list, value_may_be_missing, value_may_be_null },
  check(subject, report) {
    const known = typingOf(subject)
    for (const [step, state] of subject.flow.entering) {
      if (state.reachable && step.kind === 'foreach') checkList(step, known.at(step, state), subject, report)
    }
  },
})

type Code = 'not_a_list' | 'value_may_be_missing' | 'value_may_be_null'

function checkList({ value, path }: StepNode, environment: typing.Environment, { world }: Subject, report: Report<Code>): void {
  const { foreach } = value
  if (typeof foreach !== 'string' || !isTemplate(foreach)) return
  const { type } = typing.typeOfTemplate(foreach, environment, world.filters())
  const at = [...path, 'foreach']
  if (type.list === null && !typing.isNever(type)) return report.at('not_a_list', at, `a loop needs a list, and this is ${typing.describe(type)}`)
  const fails = 'and then the step fails; give it an empty list: `| default: …`'
  if (type.absence === 'maybe') report.at('value_may_be_missing', at, `this list may be missing, ${fails}`)
  else if (type.null && !typing.isAny(type)) report.at('value_may_be_null', at, `this list (${typing.show(type)}) may be null, ${fails}`)
}
