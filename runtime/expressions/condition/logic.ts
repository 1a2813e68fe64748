import type { Json } from '../../domain/index.ts'
import { operators } from '../operators/index.ts'
import { age } from '../operators/time.ts'
import { kindOf, truthy } from '../operators/types.ts'
import { compilePattern } from '../pattern/index.ts'
import type { Context } from '../types.ts'
import { type Meter, WorkExceeded } from '../work.ts'

/** What one evaluation of a rule goes by. */
interface Evaluation {
  readonly context: Context
  readonly meter: Meter
}

/** A part of a rule, ready to be evaluated. `data` is what `var` reads from: the context, or in a loop the item. */
type Part = (data: unknown, evaluation: Evaluation) => Json

type Compile = (values: readonly Json[]) => Part

/** A rule that was checked, ready to be evaluated. @throws Error that says what does not fit; WorkExceeded */
export type Rule = (context: Context, meter: Meter) => Json

/**
 * Makes a rule ready. The operators and what they mean are json-logic's; it is evaluated here and not by json-logic-js, so that each step is
 * paid for (decision 32).
 * @param rule in which `checkRule` has found no fault
 */
export function compileRule(rule: Json): Rule {
  const part = compile(rule)
  return (context, meter) => part(context, { context, meter })
}

/**
 * Evaluates a part of a rule.
 * @param data what `var` reads from: the context, or the current item if the part is inside a loop
 * @throws Error with the reason if the part cannot be evaluated; WorkExceeded
 */
export function evaluatePart(rule: Json, data: unknown, context: Context, meter: Meter): Json {
  return compile(rule)(data, { context, meter })
}

/** The least work of a part of a rule, in units. */
const ofPart = 3

function compile(rule: Json): Part {
  if (typeof rule !== 'object' || rule === null) return constant(rule)
  if (Array.isArray(rule)) return compileList(rule as readonly Json[])
  const [name = '', given = null] = Object.entries(rule as Readonly<Record<string, Json>>)[0] ?? []
  const values = Array.isArray(given) ? (given as readonly Json[]) : [given]
  return special.get(name)?.(values) ?? compileOperator(values, name)
}

function constant(value: Json): Part {
  return (_data, { meter }) => {
    meter.charge(1)
    return value
  }
}

/** A list without operators in it is the same each time. */
function compileList(items: readonly Json[]): Part {
  if (!items.some(hasOperator)) return constant(items as Json)
  const parts = items.map(compile)
  return (data, evaluation) => {
    evaluation.meter.charge(ofPart)
    return parts.map((part) => part(data, evaluation))
  }
}

function hasOperator(value: Json): boolean {
  return typeof value === 'object' && value !== null && (!Array.isArray(value) || (value as readonly Json[]).some(hasOperator))
}

/** An operator that evaluates its arguments first. */
function compileOperator(values: readonly Json[], name: string): Part {
  const apply = operators[name]?.apply
  if (apply === undefined) throw new Error(`there is no operator ${name}`)
  const pattern = values[1]
  if (name === 'matches' && typeof pattern === 'string') return compileMatches(values[0] ?? null, pattern)
  return applied(name, values, apply)
}

function applied(name: string, values: readonly Json[], apply: (meter: Meter, ...values: Json[]) => Json): Part {
  const parts = values.map(compile)
  const work = ofPart + 2 * values.length
  return (data, evaluation) => {
    const { meter } = evaluation
    meter.charge(work)
    const given = parts.map((part) => part(data, evaluation))
    try {
      return apply(meter, ...given)
    } catch (error) {
      throw refusal(name, error)
    }
  }
}

/** Says which operator refused. */
function refusal(name: string, error: unknown): Error {
  if (error instanceof WorkExceeded) return error.within(`\`${name}\``)
  return new Error(`\`${name}\` ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}

/** A pattern that is written out is compiled once. */
function compileMatches(value: Json, source: string): Part {
  const pattern = compilePattern(source)
  return applied('matches', [value], (meter, text) => {
    if (typeof text !== 'string') throw new Error(`needs a text, not ${kindOf(text)}`)
    return pattern.test(text, meter)
  })
}

/** The value at a path, by own properties and list indexes only; undefined when any part is missing. */
function lookUp(data: unknown, path: readonly string[]): Json | undefined {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value as Json | undefined
}

function pathOf(key: Json): readonly string[] {
  return key === '' ? [] : String(key).split('.')
}

function ofPath(path: readonly string[]): number {
  return ofPart + 3 * path.length
}

function compileVar([key = '', ...rest]: readonly Json[]): Part {
  const path = pathOf(key)
  const work = ofPath(path)
  const fallback = rest.length === 0 ? null : compile(rest[0] ?? null)
  return (data, evaluation) => {
    evaluation.meter.charge(work)
    const otherwise = fallback?.(data, evaluation)
    const value = lookUp(data, path)
    if (value !== undefined) return value
    if (otherwise !== undefined) return otherwise
    const name = String(key)
    const scope = data === evaluation.context ? '' : ' (inside a loop `var` reads from the item)'
    throw new Error(`${name} is not there${scope}; if it may be missing, give it a default: {"var": ["${name}", null]}`)
  }
}

/** Which of these paths are missing, null or an empty text. */
function compileMissing(keys: readonly Json[]): (data: unknown, meter: Meter) => Json[] {
  const paths = keys.map((key) => ({ key, path: pathOf(key) }))
  const work = paths.reduce((sum, { path }) => sum + ofPath(path), ofPart)
  return (data, meter) => {
    meter.charge(work)
    return paths
      .filter(({ path }) => {
        const value = lookUp(data, path)
        return value === undefined || value === null || value === ''
      })
      .map(({ key }) => key)
  }
}

function compileIf(values: readonly Json[]): Part {
  const parts = values.map(compile)
  return (data, evaluation) => {
    evaluation.meter.charge(ofPart)
    for (let index = 0; index + 1 < parts.length; index += 2) {
      if (truthy(parts[index]?.(data, evaluation))) return parts[index + 1]?.(data, evaluation) ?? null
    }
    return parts.length % 2 === 1 ? (parts.at(-1)?.(data, evaluation) ?? null) : null
  }
}

/** @param decisive whether the first that holds ends it, or the first that does not */
function compileUntil(values: readonly Json[], decisive: boolean): Part {
  const parts = values.map(compile)
  return (data, evaluation) => {
    evaluation.meter.charge(ofPart)
    let value: Json = null
    for (const part of parts) {
      value = part(data, evaluation)
      if (truthy(value) === decisive) break
    }
    return value
  }
}

/** What an item of a loop takes besides what is evaluated for it. */
const ofItem = 4

/** What a loop makes of its items. */
interface Loop {
  /** @returns whether to go on. @param value what the body made of the item */
  take(value: Json, item: Json): boolean
  result(): Json
}

function compileLoop(name: string, begin: () => Loop): Compile {
  return ([list = null, body = null]) => {
    const items = compile(list)
    const part = compile(body)
    return (data, evaluation) => {
      const loop = begin()
      overItems(name, listIn(items(data, evaluation)), evaluation, (item) => loop.take(part(item, evaluation), item))
      return loop.result()
    }
  }
}

/** A loop that ends at the first item whose value is `decisive`. @param ended what it then gives */
function searching(name: string, decisive: boolean, ended: boolean, ofNone: boolean): Compile {
  return compileLoop(name, () => {
    let found = ofNone
    return {
      take: (value) => {
        const stops = truthy(value) === decisive
        found = stops ? ended : !ended
        return !stops
      },
      result: () => found,
    }
  })
}

function collecting(name: string, take: (items: Json[], value: Json, item: Json) => void): Compile {
  return compileLoop(name, () => {
    const items: Json[] = []
    return {
      take: (value, item) => {
        take(items, value, item)
        return true
      },
      result: () => items,
    }
  })
}

function compileReduce([list = null, body = null, initial = null]: readonly Json[]): Part {
  const items = compile(list)
  const part = compile(body)
  const first = compile(initial)
  return (data, evaluation) => {
    const given = listIn(items(data, evaluation))
    let accumulator = first(data, evaluation)
    overItems('reduce', given, evaluation, (current) => {
      accumulator = part({ current, accumulator }, evaluation)
      return true
    })
    return accumulator
  }
}

/** json-logic would take anything else for an empty list. */
function listIn(value: Json): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`a loop needs a list, not ${kindOf(value)}`)
  return value as readonly Json[]
}

/** @param each returns whether to go on */
function overItems(name: string, list: readonly Json[], { meter }: Evaluation, each: (item: Json) => boolean): void {
  let index = 0
  try {
    meter.charge(ofPart)
    for (; index < list.length; index += 1) {
      meter.charge(ofItem)
      if (!each(list[index] as Json)) return
    }
  } catch (error) {
    throw error instanceof WorkExceeded ? error.within(`item ${index + 1} of ${list.length} of \`${name}\``) : error
  }
}

function compileMissingSome([least = 0, keys = []]: readonly Json[]): Part {
  const all = keys as readonly Json[]
  const missing = compileMissing(all)
  return (data, { meter }) => {
    const absent = missing(data, meter)
    return all.length - absent.length >= Number(least) ? [] : absent
  }
}

/** Everything that does not evaluate its arguments first, or reads. */
const special: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['var', compileVar],
  [
    'missing',
    (values) => {
      const missing = compileMissing(Array.isArray(values[0]) ? (values[0] as readonly Json[]) : values)
      return (data, { meter }) => missing(data, meter)
    },
  ],
  ['missing_some', compileMissingSome],
  ['if', compileIf],
  ['?:', compileIf],
  ['and', (values) => compileUntil(values, false)],
  ['or', (values) => compileUntil(values, true)],
  ['filter', collecting('filter', (items, value, item) => void (truthy(value) && items.push(item)))],
  ['map', collecting('map', (items, value) => void items.push(value))],
  ['all', searching('all', false, false, false)],
  ['some', searching('some', true, true, false)],
  ['none', searching('none', true, false, true)],
  ['reduce', compileReduce],
  [
    'age',
    (values) => {
      const now = ['run', 'now']
      const part = compile(values[0] ?? null)
      return (data, evaluation) => {
        evaluation.meter.charge(ofPart)
        const value = part(data, evaluation)
        try {
          return age(evaluation.meter, value, lookUp(evaluation.context, now))
        } catch (error) {
          throw refusal('age', error)
        }
      }
    },
  ],
])
