import { isObject, type Json } from '../../domain/index.ts'
import type { Observable } from '../observables/find.ts'
import { accepts, type ObservableKind } from '../observables/kinds.ts'
import { type Signal, signalsOf } from './signals.ts'

/** The parts of a loaded plugin that the generator needs. */
export interface GeneratorIntegration {
  readonly id: string
  readonly skills: ReadonlyMap<string, GeneratorSkill>
}

export interface GeneratorSkill {
  readonly impact: 'read' | 'write' | 'high'
  readonly document: {
    readonly title: string
    readonly purpose: string
    readonly input: { readonly [key: string]: Json }
    readonly output: { readonly [key: string]: Json }
  }
}

/** One call of a read skill. */
export interface Question {
  readonly integration: string
  readonly skill: string
  readonly title: string
  readonly purpose: string
  /** The inputs that observables fill. */
  readonly fills: readonly Fill[]
  /** Values for other inputs, taken from the `x-suggested` of their schemas. */
  readonly suggested: Readonly<Record<string, Json>>
  /** The key of the list that makes up the answer. Null if the answer is about one thing. */
  readonly list: string | null
  readonly signals: readonly Signal[]
}

export interface Fill {
  readonly key: string
  /** The `x-semantic` that the input takes. Steps and variables are named after it. */
  readonly semantic: string
  /** Whether the input takes a list. */
  readonly list: boolean
  /**
   * A query with `{{ value }}` in it, if the input takes a query language. Null if it takes the
   * value itself.
   */
  readonly query: string | null
}

/** The most questions in one playbook. With more, nobody would read it. */
const maxQuestions = 24

/**
 * Finds the read skills that the observables can be given to, integrations in the given order. An
 * observable must fit every required input, and at least one input. A skill is asked once for each
 * semantic that it takes.
 */
export function findQuestions(integrations: readonly GeneratorIntegration[], observables: readonly Observable[]): readonly Question[] {
  const kinds = [...new Set(observables.map(({ kind }) => kind))]
  const questions: Question[] = []
  for (const { id, skills } of integrations) {
    for (const [name, { impact, document }] of [...skills].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (impact !== 'read') continue
      const { title, purpose, input, output } = document
      for (const fills of waysToFill(input, kinds)) {
        const suggested = suggestedOf(input, fills)
        questions.push({ integration: id, skill: name, title, purpose, fills, suggested, list: listOf(output), signals: signalsOf(output) })
      }
    }
  }
  return questions.slice(0, maxQuestions)
}

function waysToFill(input: Json, kinds: readonly ObservableKind[]): readonly (readonly Fill[])[] {
  const { properties, required } = isObject(input) ? input : {}
  const needed = Array.isArray(required) ? (required as readonly Json[]).map(String) : []
  const fills = Object.entries(isObject(properties) ? properties : {})
    .flatMap(([key, schema]) => fillsOf(key, schema))
    .filter(({ semantic }) => kinds.some((kind) => accepts(semantic, kind)))
  if (needed.length > 1) {
    const all = needed.flatMap((key) => fills.find((one) => one.key === key) ?? [])
    return all.length === needed.length ? [all] : []
  }
  // Optional inputs stay empty. They only narrow the search, perhaps until it finds nothing.
  const usable = fills.filter(({ key }) => needed.length === 0 || needed.includes(key))
  return usable.filter(({ semantic }, index) => usable.findIndex((other) => other.semantic === semantic) === index).map((one) => [one])
}

/** Returns the ways to fill an input, one for each semantic. */
function fillsOf(key: string, schema: Json): readonly Fill[] {
  if (!isObject(schema)) return []
  const list = schema['type'] === 'array'
  const { 'x-semantic': semantic, 'x-queries': queries } = list && isObject(schema['items']) ? schema['items'] : schema
  const taken = [semantic].flat().flatMap((word) => (typeof word === 'string' ? [{ key, semantic: word, list, query: null }] : []))
  const asked = Object.entries(isObject(queries) ? queries : {}).map(([word, query]) => ({ key, semantic: word, list, query: String(query) }))
  return [...taken, ...asked]
}

function suggestedOf({ properties }: { readonly [key: string]: Json }, fills: readonly Fill[]): Readonly<Record<string, Json>> {
  const others = Object.entries(isObject(properties) ? properties : {}).filter(([key]) => !fills.some((one) => one.key === key))
  return Object.fromEntries(
    others.flatMap(([key, schema]) => (isObject(schema) && schema['x-suggested'] !== undefined ? [[key, schema['x-suggested']]] : [])),
  )
}

/**
 * Returns the list of an answer that consists of one list and perhaps a `truncated` flag. Null for
 * other answers.
 */
function listOf({ properties, required }: { readonly [key: string]: Json }): string | null {
  const always = Array.isArray(required) ? (required as readonly Json[]) : []
  const lists = Object.entries(isObject(properties) ? properties : {}).filter(
    ([key, schema]) => always.includes(key) && isObject(schema) && schema['type'] === 'array',
  )
  return lists.length === 1 && (always.length === 1 || always.includes('truncated')) ? (lists[0]?.[0] ?? null) : null
}
