import { isObject, type Json } from '../../../domain/index.ts'
import { compileCondition, mostFolded, WorkBudget } from '../../../expressions/index.ts'

/** Returns an operator with its arguments. Null if the value is not a rule. */
export function operationOf(rule: Json): { readonly name: string; readonly given: readonly Json[] } | null {
  if (!isObject(rule)) return null
  const [name, another] = Object.keys(rule)
  if (name === undefined || another !== undefined) return null
  const given = rule[name] ?? null
  return { name, given: Array.isArray(given) ? (given as readonly Json[]) : [given] }
}

/** Returns the path of a `var` that reads from the roots, and its default if it has one. */
export interface VarRead {
  readonly path: readonly string[]
  readonly fallback: Json | undefined
}

/** Returns what a `var` reads. Null: the rule is something else, or its path is computed. */
export function varOf(rule: Json): VarRead | null {
  const operation = operationOf(rule)
  if (operation?.name !== 'var') return null
  const [path, fallback] = operation.given
  return typeof path === 'string' ? { path: path.split('.'), fallback } : null
}

/** Operators whose second argument reads from an item, not from the roots. */
export const loopOperators: ReadonlySet<string> = new Set(['filter', 'map', 'all', 'none', 'some', 'reduce'])

/** Operators that may not evaluate the arguments after the first. */
const lazyOperators: ReadonlySet<string> = new Set(['and', 'or', 'if', '?:'])

/**
 * Yields every `var` of a rule that reads from the roots.
 * @param which `evaluated`: only those that are read whenever the rule is evaluated
 */
export function* varsOf(rule: Json, which: 'all' | 'evaluated' = 'all'): Generator<VarRead> {
  const read = varOf(rule)
  if (read !== null) {
    yield read
    if (read.fallback !== undefined && which === 'all') yield* varsOf(read.fallback)
    return
  }
  if (Array.isArray(rule)) {
    for (const part of rule as readonly Json[]) yield* varsOf(part, which)
    return
  }
  const operation = operationOf(rule)
  for (const [index, part] of (operation?.given ?? []).entries()) {
    if (index === 1 && loopOperators.has(operation?.name ?? '')) continue
    if (index > 0 && which === 'evaluated' && lazyOperators.has(operation?.name ?? '')) return
    yield* varsOf(part, which)
  }
}

/** Yields every path that a rule reads from the roots, including those in `missing`. */
function* pathsIn(rule: Json): Generator<readonly string[]> {
  for (const { path } of varsOf(rule)) yield path
  for (const name of namesOfMissing(rule)) yield name.split('.')
}

/** Yields the paths that `missing` and `missing_some` ask for. */
export function* namesOfMissing(rule: Json): Generator<string> {
  if (Array.isArray(rule)) {
    for (const part of rule as readonly Json[]) yield* namesOfMissing(part)
    return
  }
  const operation = operationOf(rule)
  for (const part of operation?.given ?? []) {
    const named = operation?.name === 'missing' || operation?.name === 'missing_some'
    if (named) for (const name of [part].flat()) if (typeof name === 'string') yield name
    yield* namesOfMissing(part)
  }
}

/** Stands in the condition of a template for what conditions cannot say. It reads nothing. */
const onlyLiquid = 'liquid'

/** Stands for a `var` whose value is not known. */
export const unknown: unique symbol = Symbol('unknown')

/** Stands for a missing value where `missing` asks for it. */
const nothing = '\u0000'

/** Replaces each `var` that reads from the roots, and each `missing` of one path, by what is known of it. */
export function substitute(rule: Json, known: (read: VarRead) => Json | typeof unknown): Json {
  const read = varOf(rule)
  if (read !== null) {
    const value = known(read)
    return value === unknown ? rule : value
  }
  if (Array.isArray(rule)) return (rule as readonly Json[]).map((part) => substitute(part, known))
  const operation = operationOf(rule)
  if (operation === null) return rule
  if (operation.name === 'missing') {
    const [name, another] = operation.given.flat()
    const alone = typeof name === 'string' && another === undefined
    return alone && known({ path: name.split('.'), fallback: nothing }) === nothing ? [name] : rule
  }
  const inLoop = loopOperators.has(operation.name)
  return { [operation.name]: operation.given.map((part, index) => (inLoop && index === 1 ? part : substitute(part, known))) }
}

/** Returns the result of a rule. Null if it depends on values, or if the rule would fail. */
export function constantOf(rule: Json): boolean | null {
  if (typeof rule !== 'object' || rule === null) return Boolean(rule)
  if (Array.isArray(rule)) return readsAnything(rule) ? null : rule.length > 0
  const operation = operationOf(rule)
  if (operation === null) return null
  const { name, given } = operation
  if (name === onlyLiquid) return null
  if (name === 'and' || name === 'or') {
    const decisive = name === 'or'
    const parts = given.map(constantOf)
    if (parts.includes(decisive)) return decisive
    return parts.includes(null) ? null : !decisive
  }
  if (name === '!' || name === '!!') {
    const inner = given[0] === undefined || Array.isArray(given[0]) ? null : constantOf(given[0])
    if (inner !== null) return name === '!' ? !inner : inner
  }
  if (readsAnything(rule)) return null
  try {
    return compileCondition(rule).test({}, new WorkBudget(mostFolded))
  } catch {
    return null
  }
}

function readsAnything(rule: Json): boolean {
  for (const _ of varsOf(rule)) return true
  return ['missing', 'missing_some', 'age'].some((name) => JSON.stringify(rule).includes(`"${name}":`))
}

/**
 * A condition and its result, in a normal form: conditions that mean the same are equal. For the key, a missing value is null, and values of
 * different types differ. So of a fact and its opposite, one is always true, even where the condition would fail.
 */
export interface Fact {
  readonly rule: Json
  readonly holds: boolean
  /** Equal facts have equal keys. */
  readonly key: string
  /** The first two parts of each path that it reads. When one of its variables (`vars.<name>`) is set, the fact is forgotten. */
  readonly reads: readonly string[]
}

const opposites: Readonly<Record<string, string>> = { '!=': '==', '!==': '==', '<=': '>', '>=': '<' }

/** Returns the fact that a condition holds, or that it does not. Different ways to write a condition become the same fact. */
export function factOf(rule: Json, holds: boolean): Fact {
  const operation = operationOf(rule)
  if (operation !== null) {
    const { name, given } = operation
    const [a, b] = given
    if ((name === '!' || name === '!!') && given.length === 1 && a !== undefined) return factOf(a, name === '!' ? !holds : holds)
    if ((name === 'and' || name === 'or') && given.length === 1 && a !== undefined) return factOf(a, holds)
    if (given.length === 2 && a !== undefined && b !== undefined) {
      const opposite = opposites[name]
      if (opposite !== undefined) return factOf({ [opposite]: [a, b] }, !holds)
      if (name === '===') return factOf({ '==': [a, b] }, holds)
      if (name === '==') {
        if (b === true || (b === false && neverNull(a))) return factOf(a, b ? holds : !holds)
        if (a === true || (a === false && neverNull(b))) return factOf(b, a ? holds : !holds)
        if (canonical(a) > canonical(b)) return factOf({ '==': [b, a] }, holds)
      }
    }
  }
  const reads = [...new Set([...pathsIn(rule)].map((path) => path.slice(0, 2).join('.')))]
  return { rule, holds, key: `${holds ? '+' : '-'}${canonical(withoutDefaults(rule))}`, reads }
}

/** Returns whether a value that is compared with a boolean is one. Otherwise it may be null, and then it is not false. */
function neverNull(rule: Json): boolean {
  const read = varOf(rule)
  if (read === null) return true
  const there = read.fallback === undefined || typeof read.fallback === 'boolean'
  return there && (read.path[0] === 'inputs' || read.path[0] === 'connections')
}

/** Leaves out defaults that change nothing: the result is the same as for null. */
function withoutDefaults(rule: Json): Json {
  const read = varOf(rule)
  if (read !== null) return isScalar(read.fallback) && !read.fallback ? { var: read.path.join('.') } : rule
  const operation = operationOf(rule)
  if (operation?.name !== '==' || operation.given.length !== 2) return rule
  const [a = null, b = null] = operation.given
  return { '==': [plain(a, b), plain(b, a)] }
}

function plain(own: Json, other: Json): Json {
  const read = varOf(own)
  if (read === null || read.fallback === undefined || !isScalar(read.fallback) || !isScalar(other)) return own
  const same = other === null ? read.fallback === null : read.fallback !== other
  return same ? { var: read.path.join('.') } : own
}

function isScalar(value: Json | undefined): value is string | number | boolean | null {
  return value === null || (value !== undefined && typeof value !== 'object')
}

function canonical(rule: Json): string {
  if (Array.isArray(rule)) return `[${(rule as readonly Json[]).map(canonical).join(',')}]`
  const operation = operationOf(rule)
  if (operation !== null) return `{${operation.name}:[${operation.given.map(canonical).join(',')}]}`
  return JSON.stringify(rule)
}

/** Returns the key of the opposite fact. */
export function oppositeKey({ key, holds }: Fact): string {
  return `${holds ? '-' : '+'}${key.slice(1)}`
}
