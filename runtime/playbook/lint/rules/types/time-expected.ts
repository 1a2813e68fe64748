import { isObject } from '../../../../domain/index.ts'
import { timeOf } from '../../../../expressions/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import type { StepNode } from '../../document/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'
import { typingOf } from '../../typing/index.ts'
import { expressionTypes } from './expression-types.ts'

const { value_may_be_missing, value_may_be_null } = expressionTypes.codes

/** Checks that `wait.until` gets a time. */
export const timeExpected = defineRule({
  codes: {
    time_expected: {
      severity: 'error',
      title: 'A value is not a time',
      why: 'The step fails. A time is epoch milliseconds or an ISO 8601 text. For a duration, use `for`.',
      wrong: "- id: rest\n  wait: { until: '{{ inputs.users }}' }",
      right: "- id: rest\n  wait: { until: '{{ run.now | plus: 3600000 }}' }",
    },
    value_may_be_missing,
    value_may_be_null,
  },
  check(subject, report) {
    const known = typingOf(subject)
    for (const [step, state] of subject.flow.entering) {
      if (state.reachable && step.kind === 'wait') checkTime(step, known.at(step, state), subject, report)
    }
  },
})

type Code = 'time_expected' | 'value_may_be_missing' | 'value_may_be_null'

function checkTime({ value, path }: StepNode, environment: typing.Environment, { world }: Subject, report: Report<Code>): void {
  const wait = isObject(value['wait']) ? value['wait'] : {}
  const { until } = wait
  if (until === undefined || wait['poll'] !== undefined) return
  const { type } = typing.typeOfTemplate(until, environment, world.filters())
  const texts = type.text?.values ?? null
  const time = type.number !== null || (type.text !== null && (texts === null || texts.some((text) => timeOf(text) !== undefined)))
  const at = [...path, 'wait', 'until']
  const needs = 'a time: epoch milliseconds or an ISO 8601 text'
  if (!time && !typing.isNever(type)) report.at('time_expected', at, `\`until\` needs ${needs}, and this is ${typing.describe(type)}`)
  else if (type.absence === 'maybe') report.at('value_may_be_missing', at, 'this time may be missing, and then the step fails')
  else if (type.null && !typing.isAny(type))
    report.at('value_may_be_null', at, `this time (${typing.show(type)}) may be null, and then the step fails`)
}
