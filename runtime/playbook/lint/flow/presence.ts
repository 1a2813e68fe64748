import type { Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { StepNode } from '../document/index.ts'
import { type Fact, unknown, type VarRead } from './rules.ts'

/**
 * The possible results of a step at some place. `absent`: the step was not reached. `spared`: it was skipped, because it would change a
 * protected entity. Playbooks need not expect that, so nothing is reported because of it.
 */
export type Became = 'absent' | 'skipped' | 'spared' | 'failed' | 'done'

/** What a `set` step gives a variable. Steps that write out the same value share the object. Otherwise there is one for each step. */
export interface Setting {
  readonly step: StepNode
  readonly name: string
  /** Null, a boolean, a number or a text that is written out. Anything else is unknown. */
  readonly value: Json | typeof unknown
}

/** What became of a step, or what set a variable. A variable that is not set is `absent`. `set`: one of too many steps has set it. */
export type Result = Became | 'set' | Setting

/** The most settings of a variable that are told apart. */
const mostSettings = 8

/** Returns all results of both. */
export function either(own: ReadonlySet<Result>, other: ReadonlySet<Result>): ReadonlySet<Result> {
  if (isWithin(other, own)) return own
  const all = new Set([...own, ...other])
  const settings = [...all].filter(isSetting)
  if (!all.has('set') && settings.length <= mostSettings) return all
  for (const setting of settings) all.delete(setting)
  return all.add('set')
}

function isSetting(result: Result): result is Setting {
  return typeof result === 'object'
}

/** Why a value may be missing. */
export interface Cause {
  readonly kind: 'skipped' | 'branch' | 'failed' | 'loop' | 'parallel' | 'handler' | 'stop'
  /** The path of the cause: a condition, a loop, a step that may fail, or a `stop`. */
  readonly path: DocumentPath
}

/** Something that tells which path the run has taken: a condition, or that a step or variable has none of these results. */
export type Sign = { readonly fact: Fact } | { readonly name: string; readonly not: ReadonlySet<Result> }

/** If all signs are seen, only these results are possible. */
export interface Case {
  readonly signs: readonly Sign[]
  readonly may: ReadonlySet<Result>
}

/** What is known of a step (`steps.user`) or a variable (`vars.found`) at some place. */
export interface Presence {
  readonly may: ReadonlySet<Result>
  readonly cases: readonly Case[]
  /** The first reason why it is uncertain. */
  readonly cause: Cause | null
}

export const absent: Presence = { may: new Set(['absent']), cases: [], cause: null }

/** Returns whether a step is certainly done, or a variable certainly set. */
export function isDone({ may }: Presence): boolean {
  return may.size > 0 && [...may].every((result) => isSetting(result) || result === 'set' || result === 'done' || result === 'spared')
}

/** Returns whether every result of the first is one of the second. */
export function isWithin(own: ReadonlySet<Result>, other: ReadonlySet<Result>): boolean {
  for (const result of own) if (!has(other, result)) return false
  return true
}

export function isDisjoint(own: ReadonlySet<Result>, other: ReadonlySet<Result>): boolean {
  for (const result of own) if (has(other, result)) return false
  for (const result of other) if (has(own, result)) return false
  return true
}

/** Returns the results of the first that the second allows. `set` stays if any setting is allowed. */
export function both(own: ReadonlySet<Result>, other: ReadonlySet<Result>): ReadonlySet<Result> {
  const sets = [...other].some(isSetting)
  return new Set([...own].filter((result) => has(other, result) || (result === 'set' && sets)))
}

function has(results: ReadonlySet<Result>, result: Result): boolean {
  return results.has(result) || (isSetting(result) && results.has('set'))
}

/** Returns whether a path reads a step or a variable. */
export function isTracked([root]: readonly string[]): boolean {
  return root === 'steps' || root === 'vars'
}

/** Returns whether a path below a step or variable is missing if it had this result. Always false for `spared`. */
export function isMissing({ path: [root, , field] }: Pick<VarRead, 'path'>, result: Result): boolean {
  if (result === 'absent') return true
  if (root === 'vars' || field === undefined || field === 'status' || result === 'spared') return false
  return field === 'output' ? result !== 'done' : field === 'error' ? result !== 'failed' : false
}

/** Returns what a path reads if its step or variable had this result. */
export function knownValue(read: VarRead, result: Result): Json | typeof unknown {
  if (isMissing(read, result)) return read.fallback ?? null
  const { path } = read
  if (isSetting(result)) return path.length === 2 ? result.value : unknown
  if (path[0] !== 'steps' || path[2] !== 'status' || path.length !== 3) return unknown
  return result === 'spared' ? 'skipped' : result
}

/** Returns the paths that a sign depends on, by their first two parts. */
export function readsOf(sign: Sign): readonly string[] {
  return 'fact' in sign ? sign.fact.reads : [sign.name]
}

/** Equal signs have equal keys. */
export function keyOf(sign: Sign): string {
  return 'fact' in sign ? sign.fact.key : `${sign.name}: ${[...sign.not].map(textOf).sort().join(' ')}`
}

function textOf(result: Result): string {
  return isSetting(result) ? result.step.path.join('.') : result
}
