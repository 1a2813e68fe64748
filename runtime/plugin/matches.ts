import type { Json } from '../domain/index.ts'
import type { SkillDocument } from './grammar/index.ts'
import type { Places } from './places.ts'
import { valueAt } from './values.ts'

/** Says in words what of an output was not asked for; null when nothing is. */
export type MatchCheck = (input: Json, output: Json) => string | null

/** Values of an output that are looked at. */
const mostValues = 100_000
const longestValue = 100

/**
 * Compiles a skill's `matches`: an external system that does not know a filter answers with everything it has, as if all of it had been asked
 * for. What does not hold together is added to `places`.
 */
export function compileMatches({ matches = [], input, output }: SkillDocument, places: Places): MatchCheck {
  for (const [at, match] of matches.entries()) {
    checkPath(input, match.input.split('.'), 'input', ['matches', at, 'input'], places)
    checkPath(output, match.output.split('.'), 'output', ['matches', at, 'output'], places)
  }
  return (given, made) => {
    for (const match of matches) {
      const fold = (value: Json): string => (match.ignore_case ? String(value).toLowerCase() : String(value))
      const asked = [...valuesAt(given, match.input.split('.'))].flatMap(([, value]) => value)
      const wanted = new Set(asked.filter((value) => value !== null && typeof value !== 'object').map(fold))
      // What was not asked for is not limited.
      if (wanted.size === 0) continue
      for (const [place, value] of valuesAt(made, match.output.split('.'))) {
        // A record that does not say what it is cannot be told apart.
        if (value === null || typeof value === 'object' || wanted.has(fold(value))) continue
        return `${place} is ${shown(value)}, and ${match.input} asked for ${[...wanted].slice(0, 5).map(shown).join(', ')}${wanted.size > 5 ? ', …' : ''}.`
      }
    }
    return null
  }
}

function shown(value: Json): string {
  return JSON.stringify(value).slice(0, longestValue)
}

/** The values at a path whose `*` stands for every item of a list, each with its place. */
function* valuesAt(value: Json, path: readonly string[]): Generator<readonly [place: string, value: Json]> {
  let left = mostValues
  function* walk(one: Json | undefined, at: number, place: string): Generator<readonly [string, Json]> {
    if (one === undefined || left <= 0) return
    const part = path[at]
    if (part === undefined) {
      left -= 1
      yield [place, one]
      return
    }
    if (part !== '*') return yield* walk(valueAt(one, part), at + 1, place === '' ? part : `${place}.${part}`)
    if (!Array.isArray(one)) return
    for (const [index, item] of (one as readonly Json[]).entries()) yield* walk(item, at + 1, `${place}.${index}`)
  }
  yield* walk(value, 0, '')
}

/** That a path leads to what a schema names; nothing is known of what it does not name. */
function checkPath(schema: Json, path: readonly string[], kind: 'input' | 'output', at: readonly (string | number)[], places: Places): void {
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
