import type { Json } from '../../domain/index.ts'
import type { Filters } from '../../expressions/index.ts'
import * as typing from '../../expressions/typing/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'

/**
 * The type problems that are certainly mistakes: the expression reads something that does not
 * exist, or compares values that are never equal. A value that may be missing is not reported,
 * because the author of the plugin knows about it.
 */
const certain: ReadonlySet<typing.ProblemCode> = new Set<typing.ProblemCode>([
  'unknown_member',
  'undeclared_member',
  'no_members',
  'value_missing',
  'filter_input',
  'filter_argument',
  'not_a_list',
  'operand_type',
  'types_never_equal',
  'value_never_equal',
  'comparison_constant',
  'condition_constant',
])

type Roots = Readonly<Record<string, typing.Type>>

function environmentOf(roots: Roots): typing.Environment {
  return { root: (name) => (Object.hasOwn(roots, name) ? roots[name] : undefined) ?? typing.any }
}

/** Reports the parts of a condition that can never be true, or always are. */
export function checkCondition(rule: Json, roots: Roots, path: DocumentPath, places: FaultPlaces): void {
  note(typing.typeOfCondition(rule, environmentOf(roots)).problems, path, places)
}

/**
 * Like `checkCondition`, for a condition over an answer. If such a condition cannot be evaluated it
 * is false, so a comparison that is "always true" may be a check of the value's type, such as
 * `{'>=': [{length: {keys: {var: body}}}, 0]}`.
 */
export function checkAnswerCondition(rule: Json, roots: Roots, path: DocumentPath, places: FaultPlaces): void {
  const { problems } = typing.typeOfCondition(rule, environmentOf(roots))
  note(
    problems.filter(({ code, message }) => !(constants.has(code) && /\balways (so|true)\b/.test(message))),
    path,
    places,
  )
}

const constants: ReadonlySet<typing.ProblemCode> = new Set<typing.ProblemCode>(['comparison_constant', 'condition_constant'])

/** Returns the type of a value with templates, and reports the parts that cannot work. */
export function checkTemplate(value: Json, roots: Roots, path: DocumentPath, places: FaultPlaces, filters?: Filters): typing.Type {
  const { type, problems } = typing.typeOfTemplate(value, environmentOf(roots), filters)
  note(problems, path, places)
  return type
}

function note(problems: readonly typing.Problem[], path: DocumentPath, places: FaultPlaces): void {
  for (const problem of problems) if (certain.has(problem.code)) places.inside([...path, ...problem.at], problem.offset, problem.message)
}
