import type { Json } from '../../../domain/index.ts'
import { join } from './join.ts'
import { type Cause, isMissing, isTracked, knownValue, type Result } from './presence.ts'
import { constantOf, type Fact, factOf, namesOfMissing, operationOf, substitute, unknown, type VarRead, varsOf } from './rules.ts'
import { presenceOf, type State, unreachable, withFact } from './state.ts'

/** The deepest nesting of `and` and `or` that is analysed. Each level analyses its parts twice. Deeper conditions are taken as a whole. */
const maxDepth = 12
/** The most parts of an `and` or `or` that are analysed one by one. The cost grows with their square. */
const maxDeciding = 100
/** The most steps and variables of one condition that are analysed. If it reads more, it says nothing about any of them. */
const maxNarrowed = 50

/**
 * Returns what is known after a condition was true, or false. If its result is constant and another one, the place is unreachable. If it only
 * contradicts the state, the place stays reachable, so that lint reports what is wrong there.
 */
export function assume(state: State, rule: Json, truth: boolean): State {
  const next = assumed(state, rule, truth, 0)
  return next.reachable || !state.reachable || constantOf(rule) !== null ? next : withFact(state, factOf(rule, truth))
}

/** Like `assume`, but a place that contradicts the state is unreachable. */
function assumed(state: State, rule: Json, truth: boolean, depth: number): State {
  if (!state.reachable) return state
  const constant = constantOf(rule)
  if (constant !== null) return constant === truth ? state : unreachable(state)
  const operation = operationOf(rule)
  const nested = depth < maxDepth ? operation : null
  const [only] = nested?.given ?? []
  let next = state
  if ((nested?.name === '!' || nested?.name === '!!') && nested.given.length === 1 && only !== undefined) {
    next = assumed(state, only, nested.name === '!' ? !truth : truth, depth + 1)
  } else if (nested?.name === 'and' || nested?.name === 'or') {
    next = assumeAll(state, nested.given, nested.name === 'or', truth, depth + 1)
  } else if ((nested?.name === 'if' || nested?.name === '?:') && nested.given.length <= maxDeciding) {
    next = assumeChoice(state, nested.given, truth, depth + 1)
  } else {
    next = narrowed(state, rule, truth)
    if (operation?.name === 'in' && !truth) for (const fact of differing(operation.given)) next = withFact(next, fact)
  }
  return next.reachable ? withFact(next, factOf(rule, truth)) : next
}

/** A value that is in none of a list's values differs from each of them. */
function differing([value = null, list = null]: readonly Json[]): readonly Fact[] {
  const values = Array.isArray(list) ? (list as readonly Json[]) : []
  return values.filter((one) => one === null || typeof one === 'string').map((one) => factOf({ '==': [value, one] }, false))
}

const cause: Cause = { kind: 'branch', path: [] }

/** Returns whether so many more parts may be analysed one by one. There is a limit for all conditions of a playbook together. */
function mayAnalyse({ readers }: State, parts: number): boolean {
  readers.parts -= parts
  return readers.parts >= 0
}

/** `and` stops at the first part that is false, `or` at the first that is true. */
function assumeAll(state: State, parts: readonly Json[], decisive: boolean, truth: boolean, depth: number): State {
  if (truth !== decisive) return parts.reduce<State>((at, part) => assumed(at, part, truth, depth), state)
  if (parts.length > maxDeciding || !mayAnalyse(state, parts.length)) return state
  let undecided = state
  let met = unreachable(state)
  for (const [index, part] of parts.entries()) {
    met = join(assumed(undecided, part, decisive, depth), met, cause)
    if (index < parts.length - 1) undecided = assumed(undecided, part, !decisive, depth)
  }
  return met
}

/** The arguments of `if` are condition, value, condition, value, …, otherwise. */
function assumeChoice(state: State, given: readonly Json[], truth: boolean, depth: number): State {
  if (!mayAnalyse(state, given.length)) return state
  let undecided = state
  let met = unreachable(state)
  for (let index = 0; index < given.length; index += 2) {
    const [test = null, value] = given.slice(index, index + 2)
    if (value === undefined) return join(assumed(undecided, test, truth, depth), met, cause)
    met = join(assumed(assumed(undecided, test, true, depth), value, truth, depth), met, cause)
    undecided = assumed(undecided, test, false, depth)
  }
  // Without a last value, it gives null.
  return truth ? met : join(undecided, met, cause)
}

/** Removes the results of steps and variables that contradict the condition. If none is left, the place is unreachable. */
function narrowed(state: State, rule: Json, truth: boolean): State {
  const asked = [...namesOfMissing(rule)].map((name): VarRead => ({ path: name.split('.'), fallback: null }))
  const byName = Map.groupBy(
    [...varsOf(rule), ...asked].filter(({ path }) => path.length > 1 && isTracked(path)),
    ({ path }) => path.slice(0, 2).join('.'),
  )
  if (byName.size === 0 || byName.size > maxNarrowed) return state
  const evaluated = new Set([...varsOf(rule, 'evaluated')].filter(({ fallback }) => fallback === undefined).map(({ path }) => path.join('.')))
  let { names } = state
  for (const [name, own] of byName) {
    const presence = presenceOf(state, name)
    const fits = (result: Result): boolean => {
      // The condition would have failed, and this place would not be reached.
      if (own.some((read) => evaluated.has(read.path.join('.')) && isMissing(read, result))) return false
      const settled = constantOf(substitute(rule, (read) => valueIn(read, name, result)))
      return settled === null || settled === truth
    }
    const may = new Set([...presence.may].filter(fits))
    if (may.size === 0) return unreachable(state)
    if (may.size < presence.may.size) names = names.set(name, { ...presence, may })
  }
  return { ...state, names }
}

function valueIn(read: VarRead, name: string, result: Result): Json | typeof unknown {
  return read.path.slice(0, 2).join('.') === name ? knownValue(read, result) : unknown
}
