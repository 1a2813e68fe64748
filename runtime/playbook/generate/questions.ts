import type { Json } from '../../domain/index.ts'
import { isObject, keysOf } from '../compile/names.ts'
import { accepts } from './kinds.ts'
import type { Observable } from './observables.ts'

/** What the generator needs of a loaded plugin. */
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
  }
}

/** A call of a read skill with observables as its input. */
export interface Question {
  readonly integration: string
  readonly skill: string
  readonly title: string
  readonly purpose: string
  /** By name of the skill's input; a list where the input takes one. */
  readonly with: readonly { readonly key: string; readonly observable: Observable; readonly list: boolean }[]
}

/** How many observables of one kind a skill is asked about. */
const maxEach = 4
const maxQuestions = 40

/**
 * The read skills that the observables allow: all required inputs, and at least one input, take an observable. Where one input takes
 * several observables, each is a question.
 */
export function findQuestions(integrations: readonly GeneratorIntegration[], observables: readonly Observable[]): readonly Question[] {
  const questions: Question[] = []
  for (const integration of [...integrations].sort(byId)) {
    for (const [skill, known] of [...integration.skills].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (known.impact !== 'read') continue
      const { title, purpose } = known.document
      for (const answer of fill(known, observables)) questions.push({ integration: integration.id, skill, title, purpose, with: answer })
    }
  }
  return questions.slice(0, maxQuestions)
}

function byId(a: GeneratorIntegration, b: GeneratorIntegration): number {
  return a.id < b.id ? -1 : 1
}

function fill({ document: { input } }: GeneratorSkill, observables: readonly Observable[]): readonly Question['with'][] {
  const required = Array.isArray(input['required']) ? (input['required'] as readonly Json[]).map(String) : []
  const properties = isObject(input['properties']) ? input['properties'] : {}
  const fitting = Object.entries(properties)
    .map(([key, schema]) => ({ key, ...takes(schema, key, observables) }))
    .filter(({ candidates }) => candidates.length > 0)
  if (fitting.length === 0 || !required.every((key) => fitting.some((input_) => input_.key === key))) return []
  // An optional input only narrows what the required ones ask for, and may narrow it to nothing.
  const used = required.length > 0 ? fitting.filter(({ key }) => required.includes(key)) : fitting.slice(0, 1)
  const [only] = used
  if (used.length === 1 && only !== undefined) {
    return only.candidates.slice(0, maxEach).map((observable) => [{ key: only.key, list: only.list, observable }])
  }
  return [used.flatMap(({ key, list, candidates: [best] }) => (best === undefined ? [] : [{ key, list, observable: best }]))]
}

/** The observables that an input takes, the one of its own name first. */
function takes(
  schema: Json | undefined,
  key: string,
  observables: readonly Observable[],
): { readonly list: boolean; readonly candidates: readonly Observable[] } {
  const list = isObject(schema) && schema['type'] === 'array'
  const single = list && isObject(schema) ? schema['items'] : schema
  const semantic = isObject(single) && keysOf(single).includes('x-semantic') ? String(single['x-semantic']) : null
  const candidates = semantic === null ? [] : observables.filter(({ kind }) => accepts(semantic, kind))
  return { list, candidates: [...candidates.filter(({ name }) => name === key), ...candidates.filter(({ name }) => name !== key)] }
}
