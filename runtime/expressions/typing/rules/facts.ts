import type { Json } from '../../../domain/index.ts'
import type { Path } from '../../types.ts'
import { truthy as isTruthy, same } from '../../values.ts'
import { Meter } from '../../work.ts'
import { equal, type Fact, falsy, never, notEqual, type Type, truthy, union, without } from '../model/index.ts'

type Scalar = string | number | boolean | null

/** A use of `var`. */
export interface Read {
  readonly path: Path
  /** The default. Undefined if there is none: the rule fails if the value is missing. */
  readonly fallback: Json | undefined
}

/** Returns the operator of a rule and its arguments. Null if the value is not a rule. */
export function operation(rule: Json): { readonly name: string; readonly args: readonly Json[]; readonly listed: boolean } | null {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return null
  const [entry, ...others] = Object.entries(rule as Readonly<Record<string, Json>>)
  if (entry === undefined || others.length > 0) return null
  const [name, given] = entry
  return Array.isArray(given) ? { name, args: given as readonly Json[], listed: true } : { name, args: [given], listed: false }
}

export function readOf(rule: Json): Read | null {
  const found = operation(rule)
  if (found?.name !== 'var') return null
  const [path, ...fallback] = found.args
  const text = typeof path === 'number' ? String(path) : path
  return typeof text === 'string' ? { path: text === '' ? [] : text.split('.'), fallback: fallback[0] } : null
}

/** What is known once a rule was evaluated, and holds or does not. */
export function factsOfRule(rule: Json, holds: boolean): readonly Fact[] {
  const found = operation(rule)
  if (found === null) return []
  return [...decided(rule), ...factsOf(found.name, found.args, rule, holds)]
}

function factsOf(name: string, args: readonly Json[], rule: Json, holds: boolean): readonly Fact[] {
  const [first = null, second = null] = args
  switch (name) {
    case 'var':
      return truth(readOf(rule), holds)
    case '!!':
      return factsOfRule(first, holds)
    case '!':
      return factsOfRule(first, !holds)
    case 'and':
      return holds ? args.flatMap((arg) => factsOfRule(arg, true)) : args.length === 1 ? factsOfRule(first, false) : []
    case 'or':
      return holds ? (args.length === 1 ? factsOfRule(first, true) : defaulted(args, true)) : args.flatMap((arg) => factsOfRule(arg, false))
    case '==':
    case '===':
      return [...compared(first, second, holds), ...compared(second, first, holds)]
    case '!=':
    case '!==':
      return [...compared(first, second, !holds), ...compared(second, first, !holds)]
    case 'in':
      return among(readOf(first), second, holds)
    case 'missing':
      return holds ? [] : (Array.isArray(first) ? (first as readonly Json[]) : args).flatMap(filled)
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'starts_with':
    case 'ends_with':
    case 'matches':
    case 'before':
    case 'after':
      return args.flatMap((arg) => notNull(arg))
    default:
      return []
  }
}

/** For `{"or": [{"var": […]}, literal]}`: if the literal counts as false and the whole as true, the value is there. */
function defaulted(args: readonly Json[], holds: boolean): readonly Fact[] {
  const [first = null, ...others] = args
  return holds && others.every((other) => operation(other) === null && !isTruthy(other)) ? factsOfRule(first, true) : []
}

/** Returns the paths that a rule certainly reads, without a default. They are there, because the rule would have failed otherwise. */
function decided(rule: Json): readonly Fact[] {
  const found = operation(rule)
  if (found === null) return []
  const read = readOf(rule)
  if (read !== null)
    return read.fallback === undefined && read.path.length > 0 ? [{ path: read.path, refine: (type) => ({ ...type, absence: 'no' }) }] : []
  const first = ['and', 'or', 'if', '?:', 'filter', 'map', 'all', 'some', 'none', 'reduce'].includes(found.name)
  return (first ? found.args.slice(0, 1) : found.args).flatMap(decided)
}

function notNull(rule: Json): readonly Fact[] {
  const read = readOf(rule)
  return read === null || read.path.length === 0 || read.fallback !== undefined
    ? []
    : [{ path: read.path, refine: (type) => without({ ...type, absence: 'no' }, 'null') }]
}

function truth(read: Read | null, holds: boolean): readonly Fact[] {
  if (read === null || read.path.length === 0) return []
  const { path, fallback } = read
  const stays = fallback !== undefined && isTruthy(fallback) === holds
  return [{ path, refine: (type) => stayingAbsent(type, holds ? truthy(type) : falsy(type), stays) }]
}

/** @param stays whether the value may still be missing, because its default passes the test */
function stayingAbsent(before: Type, after: Type, stays: boolean): Type {
  return { ...after, absence: stays ? before.absence : 'no' }
}

function scalar(value: Json): Scalar | undefined {
  return typeof value === 'object' && value !== null ? undefined : value
}

function compared(left: Json, right: Json, same: boolean): readonly Fact[] {
  const value = scalar(right)
  const inner = operation(left)
  // `or` with a literal gives null a default.
  const read =
    readOf(left) ??
    (inner?.name === 'or' && inner.args.length === 2 && inner.args[1] !== undefined && isDifferent(inner.args[1], right, same)
      ? readOf(inner.args[0] ?? null)
      : null)
  if (read === null || value === undefined || read.path.length === 0) return []
  const stays = read.fallback !== undefined && (read.fallback === value) === same
  return [{ path: read.path, refine: (type) => stayingAbsent(type, same ? equal(type, value) : notEqual(type, value), stays) }]
}

/** Returns whether the default does not pass the test. */
function isDifferent(fallback: Json, value: Json, equal: boolean): boolean {
  return operation(fallback) === null && same(new Meter(), fallback, value) !== equal
}

function among(read: Read | null, where: Json, holds: boolean): readonly Fact[] {
  if (read === null || read.path.length === 0 || !Array.isArray(where)) return []
  const values = (where as readonly Json[]).map(scalar)
  if (!values.every((value) => value !== undefined)) return []
  const { path, fallback } = read
  const passes = fallback === undefined ? false : (where as readonly Json[]).some((value) => same(new Meter(), value, fallback)) === holds
  const refine = (type: Type): Type =>
    holds
      ? values.map((value) => (value === null && !type.null ? never : equal(type, value))).reduce(union, never)
      : values.reduce<Type>((left, value) => notEqual(left, value), type)
  return [{ path, refine: (type) => stayingAbsent(type, refine(type), passes) }]
}

/** What is known of a path that `missing` does not return: the value exists, and is neither null nor an empty text. */
function filled(path: Json): readonly Fact[] {
  return typeof path === 'string' && path !== '' ? [{ path: path.split('.'), refine: (type) => notEqual(notEqual(type, null), '') }] : []
}
