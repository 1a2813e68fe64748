import type { Json } from '../../domain/index.ts'
import { checkRule } from '../condition/index.ts'
import { any, boundedly, type Environment, falsy, isNever, truthy } from './model/index.ts'
import type { Problem } from './problem.ts'
import { operation, outermost, pitfallOfOr, RuleReader, tellConstants } from './rules/index.ts'
import type { Typed } from './template.ts'

const constants = new Set<Problem['code']>([
  'comparison_constant',
  'value_never_equal',
  'types_never_equal',
  'operand_type',
  'value_missing',
  'unknown_member',
  'logic_pitfall',
  'no_members',
])

/**
 * Returns the type of a rule's result, and the problems of the rule. A rule that does not compile has any type and no problems, because its
 * compilation reports what is wrong. The rules `true` and `false` are never reported as constant.
 */
export function typeOfCondition(rule: Json, environment: Environment): Typed {
  const unknown: Typed = { type: any, problems: [] }
  return checkRule(rule).faults.length > 0 ? unknown : boundedly(() => typed(rule, environment), unknown)
}

function typed(rule: Json, environment: Environment): Typed {
  const reader = new RuleReader()
  const type = reader.read(rule, [], outermost(environment))
  pitfallOfOr(rule, [], reader)
  tellConstants(rule, [], {
    tell(code, at, message) {
      // Skip it if typing already reported a problem at this place, which says more.
      if (!reader.problems.some((problem) => at.every((part, index) => problem.at[index] === part))) reader.tell(code, at, message)
    },
  })
  const constant = isNever(type) ? null : isNever(truthy(type)) ? false : isNever(falsy(type)) ? true : null
  if (constant !== null && operation(rule) !== null && !reader.problems.some(({ code }) => constants.has(code))) {
    reader.tell('condition_constant', [], `this condition is always ${constant}`)
  }
  return { type, problems: reader.problems }
}
