import type { Json } from '../../domain/index.ts'
import { type Filters, typing } from '../../expressions/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'

/**
 * What the types can tell of an expression that is wrong for certain: it reads what is not there, or compares what is never equal. That a value
 * may be missing is known to whoever wrote the plugin: a probe that meets it says so.
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

/** Types a condition that decides something, and notes what of it can never be so, or always is. */
export function checkCondition(rule: Json, roots: Roots, path: DocumentPath, places: FaultPlaces): void {
  note(typing.typeOfCondition(rule, environmentOf(roots)).problems, path, places)
}

/**
 * The same of a condition over an answer. Where it cannot be decided it does not hold, so that what is always so may ask of which kind a value
 * is: `{'>=': [{length: {keys: {var: body}}}, 0]}`.
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

/** The type of a value with templates; what of it can never be so is noted. */
export function checkTemplate(value: Json, roots: Roots, path: DocumentPath, places: FaultPlaces, filters?: Filters): typing.Type {
  const { type, problems } = typing.typeOfTemplate(value, environmentOf(roots), filters)
  note(problems, path, places)
  return type
}

function note(problems: readonly typing.Problem[], path: DocumentPath, places: FaultPlaces): void {
  for (const problem of problems) if (certain.has(problem.code)) places.inside([...path, ...problem.at], problem.offset, problem.message)
}
