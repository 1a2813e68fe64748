import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { assume } from './assume.ts'
import { loopOperators } from './rules.ts'
import type { State } from './state.ts'

/** A path that a condition reads from the roots, and the state in which it does. */
export interface ConditionRead {
  readonly path: readonly string[]
  /** The place in the file. */
  readonly at: DocumentPath
  /** Whether it has a default. */
  readonly guarded: boolean
  readonly state: State
}

/** Yields every read of a condition. In `and`, `or` and `if`, later arguments know the result of the earlier ones. */
export function* conditionReads(rule: Json, at: DocumentPath, state: State): Generator<ConditionRead> {
  if (Array.isArray(rule)) {
    for (const [index, part] of (rule as readonly Json[]).entries()) yield* conditionReads(part, [...at, index], state)
    return
  }
  const [entry] = isObject(rule) ? Object.entries(rule) : []
  if (entry === undefined) return
  const [name, value] = entry
  const listed = Array.isArray(value)
  const given = listed ? (value as readonly Json[]) : [value]
  const placeOf = (index: number): DocumentPath => (listed ? [...at, name, index] : [...at, name])
  if (name === 'var') {
    const [path, fallback] = given
    if (typeof path === 'string') yield { path: path.split('.'), at: placeOf(0), guarded: given.length > 1, state }
    if (fallback !== undefined) yield* conditionReads(fallback, placeOf(1), state)
    return
  }
  if (name === 'missing' || name === 'missing_some') return
  let known = state
  for (const [index, part] of given.entries()) {
    if (loopOperators.has(name) && index === 1) continue
    yield* conditionReads(part, placeOf(index), known)
    if (name === 'and' || name === 'or') known = assume(known, part, name === 'and')
    if (name === 'if' || name === '?:') yield* branchesOf(given, index, placeOf, known)
    if (name === 'if' || name === '?:') return
  }
}

/** Reads `if` and `?:`. Their arguments are condition, value, condition, value, …, otherwise. */
function* branchesOf(given: readonly Json[], first: number, placeOf: (index: number) => DocumentPath, state: State): Generator<ConditionRead> {
  let known = state
  for (let index = first; index < given.length; index += 2) {
    const [test, value] = [given[index] ?? null, given[index + 1]]
    if (index > first) yield* conditionReads(test, placeOf(index), known)
    if (value === undefined) return
    yield* conditionReads(value, placeOf(index + 1), assume(known, test, true))
    known = assume(known, test, false)
  }
}
