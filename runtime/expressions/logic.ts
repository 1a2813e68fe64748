import jsonLogic from 'json-logic-js'
import type { Json } from '../domain/index.ts'
import { operators } from './operators/index.ts'
import { age } from './operators/time.ts'
import { kindOf, truthy } from './operators/types.ts'
import type { Context } from './types.ts'

/** Wraps the list of a loop: json-logic would take anything else for an empty list. */
export const listGuard = 'a list'

/** The context of the rule that is being decided: `age` needs it inside loops, where json-logic passes the item. Deciding is synchronous. */
let current: Context = {}

/** @throws Error that says what does not fit */
export function decide(rule: Json, context: Context): boolean {
  return truthy(resultOf(rule, context))
}

/** What a rule makes of the context. @throws Error that says what does not fit */
export function resultOf(rule: Json, context: Context): Json {
  const outer = current
  current = context
  try {
    return jsonLogic.apply(rule, context)
  } finally {
    current = outer
  }
}

/** The value at a dotted path, by own properties and list indexes only; undefined when any part is missing. */
function lookUp(data: unknown, path: string): Json | undefined {
  let value = data
  if (path !== '') {
    for (const part of path.split('.')) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
      if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined
      value = (value as Readonly<Record<string, unknown>>)[part]
    }
  }
  return value as Json | undefined
}

function read(this: unknown, ...given: Json[]): Json {
  const path = String(given[0])
  const value = lookUp(this, path)
  if (value !== undefined) return value
  if (given.length > 1) return given[1] ?? null
  const scope = this === current ? '' : ' (inside a loop `var` reads from the item)'
  throw new Error(`${path} is not there${scope}; if it may be missing, give it a default: {"var": ["${path}", null]}`)
}

function isAbsent(data: unknown, key: Json): boolean {
  const value = lookUp(data, String(key))
  return value === undefined || value === null || value === ''
}

function missing(this: unknown, ...given: Json[]): Json {
  const keys = Array.isArray(given[0]) ? (given[0] as readonly Json[]) : given
  return keys.filter((key) => isAbsent(this, key))
}

function missingSome(this: unknown, least: Json, keys: Json): Json {
  const all = keys as readonly Json[]
  const absent = all.filter((key) => isAbsent(this, key))
  return all.length - absent.length >= Number(least) ? [] : absent
}

function guardList(value: Json): Json {
  if (!Array.isArray(value)) throw new Error(`a loop needs a list, not ${kindOf(value)}`)
  return value as Json
}

function ageOf(value: Json): Json {
  return age(value, lookUp(current, 'run.now'))
}

/** Says which operator refused. */
function named(name: string, apply: (...values: Json[]) => Json): (...values: Json[]) => Json {
  return (...values) => {
    try {
      return apply(...values)
    } catch (error) {
      throw new Error(`\`${name}\` ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}

// json-logic-js keeps one table of operators for the process; only this room uses it.
for (const [name, { apply }] of Object.entries(operators)) jsonLogic.add_operation(name, named(name, apply))
jsonLogic.add_operation('age', named('age', ageOf))
jsonLogic.add_operation('var', read)
jsonLogic.add_operation('missing', missing)
jsonLogic.add_operation('missing_some', missingSome)
jsonLogic.add_operation(listGuard, guardList)
jsonLogic.rm_operation('log')
