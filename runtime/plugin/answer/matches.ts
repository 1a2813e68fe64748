import type { Json } from '../../domain/index.ts'
import type { SkillDocument } from '../grammar/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'
import { valueAt } from '../values.ts'
import { alike, momentIn } from './alike.ts'

/** Describes a part of the output that the input did not ask for. Returns null if there is none. */
export type MatchCheck = (input: Json, output: Json) => string | null

/** How many values of an output are checked. */
const mostValues = 100_000
const longestValue = 100
/** How many values of one record are searched. */
const mostInRecord = 1_000

/**
 * Compiles a skill's `matches`. They detect an external system that ignores a filter and returns
 * everything it has. Faults in `matches` are added to `places`.
 */
export function compileMatches({ matches = [], input, output }: SkillDocument, places: FaultPlaces): MatchCheck {
  for (const [at, match] of matches.entries()) {
    checkMember(input, match.input.split('.'), 'input', ['matches', at, 'input'], places)
    checkMember(output, match.output.split('.'), 'output', ['matches', at, 'output'], places)
  }
  return (given, made) => {
    for (const match of matches) {
      const asked = [...valuesAt(given, match.input.split('.'))].flatMap(({ value }) => value)
      const fits = checkOf(match, asked)
      // Without this input there is nothing to check.
      if (fits === null) continue
      for (const { place, value, record } of valuesAt(made, match.output.split('.'))) {
        // Skip a record without this field, because it cannot be checked.
        if (value === null || value === '' || typeof value === 'object' || fits(value)) continue
        if (match.anywhere && textsIn(record).some(fits)) continue
        const most = asked.slice(0, 5).map(shown).join(', ')
        return `${place} is ${shown(value)}, and ${match.input} asked for ${most}${asked.length > 5 ? ', …' : ''}.`
      }
    }
    return null
  }
}

type Match = NonNullable<SkillDocument['matches']>[number]
type Fits = (value: Json) => boolean

/**
 * Returns whether a value is one of the wanted booleans. It may be a word, 0 or 1. A value that is
 * not a boolean passes, because it says nothing.
 */
function isTruthOf(value: Json, wanted: ReadonlySet<string>): boolean {
  const word = String(value).trim().toLowerCase()
  const truth = /^(true|yes|on|1)$/.test(word) ? 'true' : /^(false|no|off|0)$/.test(word) ? 'false' : null
  return truth === null || wanted.has(truth)
}

/** In milliseconds. Some systems round times to seconds. */
const slack = 1_000

/** Returns a check that tells whether a value was asked for. Null if the input asks for nothing. */
function checkOf({ as = 'equal', ignore_case: loosely = false }: Match, asked: readonly Json[]): Fits | null {
  const fold = (value: Json): string => (loosely ? alike(String(value)) : String(value))
  const wanted = new Set(asked.filter((value) => value !== null && typeof value !== 'object').map(fold))
  if (wanted.size === 0) return null
  if (as === 'equal' && asked.every((value) => typeof value === 'boolean')) return (value) => isTruthOf(value, wanted)
  if (as === 'equal') return (value) => wanted.has(fold(value))
  if (as === 'contains') return (value) => [...wanted].some((part) => fold(value).includes(part))
  const bound = momentIn(asked[0])
  if (bound === null) return null
  return (value) => {
    const time = momentIn(value)
    return time === null || (as === 'from' ? time >= bound - slack : time <= bound + slack)
  }
}

/** Returns the strings and numbers in a record, up to a limited depth and count. */
function textsIn(record: Json): readonly Json[] {
  const found: Json[] = []
  const walk = (value: Json, depth: number): void => {
    if (found.length >= mostInRecord || depth > 5) return
    if (Array.isArray(value)) for (const item of value as readonly Json[]) walk(item, depth + 1)
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) walk(item, depth + 1)
    else if (value !== null) found.push(value)
  }
  walk(record, 0)
  return found
}

function shown(value: Json): string {
  return JSON.stringify(value).slice(0, longestValue)
}

interface Found {
  readonly place: string
  readonly value: Json
  /** The object that contains the value. */
  readonly record: Json
}

/** Returns the values at a path, each with its place. A `*` in the path stands for every item of a list. */
function* valuesAt(root: Json, path: readonly string[]): Generator<Found> {
  let left = mostValues
  function* walk(value: Json | undefined, record: Json, at: number, place: string): Generator<Found> {
    if (value === undefined || left <= 0) return
    const part = path[at]
    if (part === undefined) {
      left -= 1
      yield { place, value, record }
      return
    }
    if (part !== '*') return yield* walk(valueAt(value, part), value, at + 1, place === '' ? part : `${place}.${part}`)
    if (!Array.isArray(value)) return
    for (const [index, item] of (value as readonly Json[]).entries()) yield* walk(item, record, at + 1, `${place}.${index}`)
  }
  yield* walk(root, root, 0, '')
}

/** Reports a path that leads to nothing that a schema names. Parts of the schema without names accept every path. */
export function checkMember(
  schema: Json,
  path: readonly string[],
  kind: 'input' | 'output',
  at: readonly (string | number)[],
  places: FaultPlaces,
): void {
  let found: Json | undefined = schema
  for (const part of path) {
    if (typeof found !== 'object' || found === null) return
    const { properties, items } = found as { readonly properties?: Json; readonly items?: Json }
    if (part === '*') found = items
    else if (typeof properties !== 'object' || properties === null) return
    else {
      const names = Object.keys(properties)
      if (!names.includes(part)) return places.unknown(at, `member of the ${kind}`, part, names)
      found = (properties as Readonly<Record<string, Json>>)[part]
    }
  }
}
