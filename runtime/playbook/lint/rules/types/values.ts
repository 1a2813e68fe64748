import { isObject, type Json } from '../../../../domain/index.ts'
import { isTemplate, timeOf, typing } from '../../../../expressions/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import type { StepNode } from '../../document/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'
import { typingOf } from '../../typing/index.ts'

/** Values that the runtime takes as a list, a text or a time. */
export const values: Rule = {
  codes: ['not_a_list', 'value_may_be_missing', 'value_may_be_null', 'text_expected', 'time_expected'],
  check(subject, report) {
    const known = typingOf(subject)
    for (const [step, state] of subject.flow.entering) {
      if (!state.reachable) continue
      const environment = known.at(step, state)
      if (step.kind === 'foreach') checkList(step, environment, subject, report)
      if (step.kind === 'wait') checkTime(step, environment, subject, report)
    }
    for (const { expression, step, state } of subject.flow.places) {
      if (state.reachable && isText(expression.path)) checkText(expression.value, expression.path, known.at(step, state), subject, report)
    }
    const { root } = subject
    const opening = isObject(root['case']) ? root['case'] : {}
    checkText(opening['title'], ['case', 'title'], known.opening, subject, report)
    if (isObject(opening['join'])) checkText(opening['join']['key'], ['case', 'join', 'key'], known.opening, subject, report)
    const { duplicates } = root
    if (isObject(duplicates)) checkText(duplicates['fingerprint'], ['duplicates', 'fingerprint'], known.opening, subject, report)
  },
}

type Environment = typing.Environment

function checkList({ value, path }: StepNode, environment: Environment, { world }: Subject, report: Report): void {
  const { foreach } = value
  if (typeof foreach !== 'string' || !isTemplate(foreach)) return
  const { type } = typing.typeOfTemplate(foreach, environment, world.filters())
  const at = [...path, 'foreach']
  if (typing.isAny(type)) return
  if (type.list === null && !typing.isNever(type)) return report.at('not_a_list', at, `a loop needs a list, and this is ${typing.describe(type)}`)
  const fails = 'and the step fails then; give it an empty list: `| default: …`'
  if (type.absence === 'maybe') report.at('value_may_be_missing', at, `this list may be missing, ${fails}`)
  else if (type.null) report.at('value_may_be_null', at, `this list (${typing.show(type)}) may be null, ${fails}`)
}

function checkTime({ value, path }: StepNode, environment: Environment, { world }: Subject, report: Report): void {
  const wait = isObject(value['wait']) ? value['wait'] : {}
  const { until } = wait
  if (until === undefined || wait['poll'] !== undefined) return
  const { type } = typing.typeOfTemplate(until, environment, world.filters())
  const texts = type.text?.values ?? null
  const time = type.number !== null || (type.text !== null && (texts === null || texts.some((text) => timeOf(text) !== undefined)))
  const at = [...path, 'wait', 'until']
  const needs = 'a time: epoch milliseconds or an ISO 8601 text'
  if (!time && !typing.isNever(type)) report.at('time_expected', at, `\`until\` needs ${needs}, and this is ${typing.describe(type)}`)
  else if (type.absence === 'maybe') report.at('value_may_be_missing', at, 'this time may be missing, and the step fails then')
}

/** Where the runtime makes a text of whatever it is given. */
function isText(path: DocumentPath): boolean {
  const [last, before] = [path.at(-1), path.at(-2)]
  return (
    (before === 'case' && last === 'note') ||
    (before === 'stop' && last === 'reason') ||
    (before === 'verdict' && last === 'summary') ||
    before === 'approve'
  )
}

function checkText(value: Json | undefined, path: DocumentPath, environment: Environment, { world }: Subject, report: Report): void {
  if (typeof value !== 'string' || !isTemplate(value)) return
  const { type } = typing.typeOfTemplate(value, environment, world.filters())
  if (typing.isAny(type) || typing.isNever(type) || type.text !== null || type.number !== null || type.boolean.length > 0 || type.null) return
  report.at('text_expected', path, `this needs a text, and is ${typing.describe(type)}; put it inside text, or write it with \`| json\``)
}
