import { isObject } from '../../../../domain/index.ts'
import { operatorNames, typing } from '../../../../expressions/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import type { FindingCode } from '../../../findings/index.ts'
import { respelling } from '../../document/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'
import { skillOutput, typingOf } from '../../typing/index.ts'

/** What the types tell of every template and condition by itself. */
export const types: Rule = {
  codes: [
    'unknown_member',
    'undeclared_member',
    'no_members',
    'value_missing',
    'value_may_be_missing',
    'value_may_be_null',
    'filter_input',
    'filter_argument',
    'default_comes_late',
    'not_a_list',
    'operand_type',
    'types_never_equal',
    'value_never_equal',
    'comparison_constant',
    'condition_constant',
    'arguments_swapped',
    'logic_pitfall',
  ] satisfies typing.ProblemCode[] & FindingCode[],
  check(subject, report) {
    const { flow, root, world } = subject
    const known = typingOf(subject)
    const filters = world.filters()
    for (const { expression, step, state } of flow.places) {
      if (!state.reachable) continue
      const { form, path, value } = expression
      const environment = known.at(step, state)
      const typed = form === 'condition' ? typing.typeOfCondition(value, environment) : typing.typeOfTemplate(value, environment, filters)
      tell(typed, path, subject, report)
    }
    const opening = isObject(root['case']) ? root['case'] : {}
    if (opening['title'] !== undefined) tell(typing.typeOfTemplate(opening['title'], known.opening, filters), ['case', 'title'], subject, report)
    const { join } = opening
    if (isObject(join) && join['key'] !== undefined) {
      tell(typing.typeOfTemplate(join['key'], known.opening, filters), ['case', 'join', 'key'], subject, report)
    }
    const { duplicates } = root
    if (isObject(duplicates) && duplicates['fingerprint'] !== undefined) {
      tell(typing.typeOfTemplate(duplicates['fingerprint'], known.opening, filters), ['duplicates', 'fingerprint'], subject, report)
    }
    polls(subject, report)
  },
}

/** What a poll waits for reads its answer as `output`. */
function polls(subject: Subject, report: Report): void {
  const known = typingOf(subject)
  for (const [step, state] of subject.flow.entering) {
    const { wait } = step.value
    if (step.kind !== 'wait' || !isObject(wait) || !isObject(wait['poll']) || wait['until'] === undefined || !state.reachable) continue
    const output = skillOutput(subject.world, wait['poll']['skill'])
    const environment = typing.withRoots(known.at(step, state), { output })
    tell(typing.typeOfCondition(wait['until'], environment), [...step.path, 'wait', 'until'], subject, report)
  }
}

function tell({ problems }: typing.Typed, path: DocumentPath, { document }: Subject, report: Report): void {
  for (const { code, at, offset, message, misspelt } of problems) {
    const place = [...path, ...at]
    if (isOperator(at, offset)) {
      report.at(code, place, message, { part: 'key' })
      continue
    }
    report.inside(code, place, offset, message, respelling(document, place, offset, misspelt))
  }
}

/** Whether a place of a condition is that of an operator as a whole: its name is shown. */
function isOperator(at: DocumentPath, offset: number): boolean {
  const last = at.at(-1)
  return offset === 0 && typeof last === 'string' && isOperatorName(last)
}

/** Of `var` and its like the argument is the place. */
function isOperatorName(name: string): boolean {
  return !['var', 'missing', 'missing_some'].includes(name) && operatorNames.includes(name)
}
