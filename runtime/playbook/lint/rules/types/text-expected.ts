import { isObject, type Json } from '../../../../domain/index.ts'
import { isTemplate } from '../../../../expressions/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'
import { typingOf } from '../../typing/index.ts'

export const textExpected = defineRule({
  codes: {
    text_expected: {
      severity: 'error',
      title: 'A list or an object is used as text',
      why: 'People would read JSON. If that is meant, `| json` says so.',
      wrong: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output }}' }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  case: { note: '{{ steps.look.output | json }}' }",
    },
  },
  check(subject, report) {
    const known = typingOf(subject)
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
})

/** Returns whether the runtime turns any value at this place into text. */
function isText(path: DocumentPath): boolean {
  const [last, before] = [path.at(-1), path.at(-2)]
  return (
    (before === 'case' && last === 'note') ||
    (before === 'stop' && last === 'reason') ||
    (before === 'verdict' && last === 'summary') ||
    before === 'approve'
  )
}

function checkText(
  value: Json | undefined,
  path: DocumentPath,
  environment: typing.Environment,
  { world }: Subject,
  report: Report<'text_expected'>,
): void {
  if (typeof value !== 'string' || !isTemplate(value)) return
  const { type } = typing.typeOfTemplate(value, environment, world.filters())
  if (typing.isAny(type) || typing.isNever(type) || type.text !== null || type.number !== null || type.boolean.length > 0 || type.null) return
  report.at('text_expected', path, `this must be text, and is ${typing.describe(type)}; put it inside text, or add \`| json\``)
}
