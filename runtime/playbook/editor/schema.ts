import { isObject, type Json } from '../../domain/index.ts'
import { operatorGroups } from '../../expressions/index.ts'
import { playbookSchema, stepKinds } from '../grammar/index.ts'
import { inputSchema } from './input.ts'
import type { EditorIntegration, EditorWorld } from './world.ts'

type Schema = { readonly [key: string]: Json }

/**
 * The JSON Schema of a playbook for editors: the grammar, and in it the names that there are. What is not known is allowed all the
 * same, where it may come from elsewhere; an unknown name is for the compiler to judge, which knows the plugins that are really loaded.
 */
export function editorSchema(world: EditorWorld): Schema {
  const { $defs, ...document } = JSON.parse(JSON.stringify(playbookSchema)) as Schema
  const { step, ...others } = $defs as Readonly<Record<string, Schema>>
  return {
    ...(complete(document, world) as Schema),
    $defs: { ...(complete(others, world) as Schema), step: stepSchema(world), rule: ruleSchema(), ...callSchemas(world) },
  }
}

interface Kind {
  /** What tells it from the others. */
  readonly key: string
  readonly schema: Schema
}

function stepSchema(world: EditorWorld): Schema {
  return chosenByKey(stepKinds.map(({ key, schema }) => ({ key, schema: complete(JSON.parse(JSON.stringify(schema)) as Json, world) as Schema })))
}

/**
 * An editor completes what is not of any kind yet: then every key is there, with what may stand under it. As soon as the key of a kind
 * is written, that kind's own schema applies.
 */
function chosenByKey(kinds: readonly Kind[]): Schema {
  const properties: Record<string, Json> = {}
  for (const { key, schema } of kinds) {
    const { description } = schema
    for (const [name, value] of Object.entries(schema['properties'] as Schema)) {
      // What makes it one of a kind says what the kind is for.
      if (name === key) properties[name] = { ...(isObject(value) ? value : {}), ...(description !== undefined && { description }) }
      else properties[name] ??= value
    }
  }
  const required = requiredBy(kinds[0]?.schema ?? {}).filter((name) => kinds.every(({ schema }) => requiredBy(schema).includes(name)))
  const undecided: Schema = {
    ...(required.length > 0 && { required: [...required] }),
    properties,
    additionalProperties: false,
    anyOf: kinds.map(({ key }) => ({ required: [key] })),
  }
  return {
    type: 'object',
    // Where nothing is written yet there is no object either, and it is of no kind.
    ...kinds.reduceRight<Schema>(
      (otherwise, { key, schema }) => ({ if: { type: 'object', required: [key] }, then: schema, else: otherwise }),
      undecided,
    ),
  }
}

function requiredBy({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : []
}

/** The kinds that a schema of the grammar chooses from by their keys; the last is told by the first key that it requires. Null: it chooses nothing. */
function kindsIn({ if: asked, then: schema, else: otherwise }: Schema): readonly Kind[] | null {
  if (!isObject(asked) || !isObject(schema) || !isObject(otherwise)) return null
  const [key] = requiredBy(asked)
  const [last] = requiredBy(otherwise)
  const others = kindsIn(otherwise) ?? (last === undefined ? null : [{ key: last, schema: otherwise }])
  return key === undefined || others === null ? null : [{ key, schema }, ...others]
}

/** A json-logic rule, or the arguments of an operator. An object in it is always a rule, so that a misspelt operator shows. */
function ruleSchema(): Schema {
  const operators = Object.values(operatorGroups).flat()
  const one = ({ name, text, example }: (typeof operators)[number]): [string, Json] => [
    name,
    { description: `${text}\n\n${JSON.stringify(example)}`, $ref: '#/$defs/rule' },
  ]
  return { properties: Object.fromEntries(operators.map(one)), additionalProperties: false, items: { $ref: '#/$defs/rule' } }
}

/** Puts the names of the world where they may stand, wherever that is in a schema. */
function complete(value: Json, world: EditorWorld): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => complete(item, world))
  if (!isObject(value)) return value
  const kinds = kindsIn(value)
  if (kinds) {
    const { if: _, then: __, else: ___, ...own } = value
    return { ...own, ...chosenByKey(kinds.map(({ key, schema }) => ({ key, schema: complete(schema, world) as Schema }))) }
  }
  const schema = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, complete(inner, world)]))
  if (isCondition(value)) return { ...schema, allOf: [{ $ref: '#/$defs/rule' }] }
  const { properties } = value
  if (!isObject(properties)) return schema
  const filled = { ...(schema['properties'] as Schema) }
  const name = (key: string, names: readonly string[]): void => {
    const own = filled[key]
    if (isObject(own) && names.length > 0) filled[key] = suggesting(own, names)
  }
  const { integrations } = world
  name(
    'integration',
    integrations.map(({ id }) => id),
  )
  name('connection', world.slots)
  name('covers', world.steps)
  if (value['required'] !== undefined && !('format' in properties)) name('playbook', [...world.playbooks.keys()])
  if (isObject(filled['on']) && 'attempts' in properties) filled['on'] = codesIn(filled['on'], integrations)
  const calls = 'with' in properties ? calledKeys.find((key) => key in properties && callsOf(key, world).length > 0) : undefined
  if (calls === undefined) return { ...schema, properties: filled }
  if (calls === 'skill') {
    const { description, ...own } = filled['skill'] as Schema
    filled['skill'] = { ...noted(description), anyOf: [{ $ref: '#/$defs/known_skill' }, own] }
  }
  return { ...schema, properties: filled, allOf: [{ $ref: `#/$defs/${rulesName(calls)}` }] }
}

function isCondition({ type, properties }: Schema): boolean {
  return properties === undefined && Array.isArray(type) && type.length === 2 && type[0] === 'object' && type[1] === 'boolean'
}

/** A name that is one of these, or another that has the form of one. */
function suggesting({ description, ...own }: Schema, names: readonly string[]): Schema {
  const { anyOf, ...more } = own
  // A name, or a list of names.
  if (Array.isArray(anyOf)) return { ...more, ...noted(description), anyOf: (anyOf as readonly Schema[]).map((one) => listSuggesting(one, names)) }
  if (Array.isArray(own['type']) && own['type'].includes('array')) {
    const { type: _, items = {}, ...lists } = own
    return { ...noted(description), anyOf: [{ enum: [...names] }, { type: 'string' }, listSuggesting({ type: 'array', items, ...lists }, names)] }
  }
  if (own['type'] === 'array') return { ...listSuggesting(own, names), ...noted(description) }
  return { ...noted(description), anyOf: [{ enum: [...names] }, own] }
}

function listSuggesting(schema: Schema, names: readonly string[]): Schema {
  if (schema['type'] !== 'array') return { anyOf: [{ enum: [...names] }, schema] }
  return { ...schema, items: { anyOf: [{ enum: [...names] }, (schema['items'] as Json | undefined) ?? {}] } }
}

function noted(description: Json | undefined): Schema {
  return description === undefined ? {} : { description }
}

function codesIn(schema: Schema, integrations: readonly EditorIntegration[]): Schema {
  const codes = [...new Set(integrations.flatMap(({ codes: own }) => own))].sort()
  return codes.length === 0 ? schema : listSuggesting(schema, codes)
}

function skillSchemas(integrations: readonly EditorIntegration[]): readonly Schema[] {
  return integrations.flatMap(({ id, skills }) =>
    [...skills].map(([name, { impact, document }]) => ({
      const: `${id}.${name}`,
      title: document.title,
      description: [`${impact}: ${document.purpose}`, ...(document.warnings ?? [])].join('\n\n'),
    })),
  )
}

/** What a step may call, with the schema of what it is given. */
interface Called {
  readonly name: string
  readonly input: Schema
}

const calledKeys = ['skill', 'playbook'] as const
type CalledKey = (typeof calledKeys)[number]

function callsOf(key: CalledKey, { integrations, playbooks }: EditorWorld): readonly Called[] {
  if (key === 'playbook') return [...playbooks].map(([name, input]) => ({ name, input }))
  return integrations.flatMap(({ id, skills }) => [...skills].map(([name, { document }]) => ({ name: `${id}.${name}`, input: document.input })))
}

/** What is called may stand in many places (a step, a poll, a step of no kind yet): what is known of it is kept once. */
function callSchemas(world: EditorWorld): Readonly<Record<string, Schema>> {
  const skills = skillSchemas(world.integrations)
  const rules = Object.fromEntries(
    calledKeys.flatMap((key): [string, Schema][] => {
      const calls = callsOf(key, world)
      if (calls.length === 0) return []
      return [
        [rulesName(key), { allOf: calls.map((called) => ruleOf(key, called)) }],
        ...calls.map(({ name, input }): [string, Schema] => [inputName(key, name), inputSchema(input)]),
      ]
    }),
  )
  return { ...(skills.length > 0 && { known_skill: { anyOf: [...skills] } }), ...rules }
}

/** Where it is known what is called, `with` is its input. */
function ruleOf(key: CalledKey, { name, input }: Called): Schema {
  return {
    if: { required: [key], properties: { [key]: { const: name } } },
    then: { ...(requiredBy(input).length > 0 && { required: ['with'] }), properties: { with: { $ref: `#/$defs/${inputName(key, name)}` } } },
  }
}

function rulesName(key: CalledKey): string {
  return `calls_of_${key}`
}

function inputName(key: CalledKey, name: string): string {
  return key === 'skill' ? `with_${name.replace('.', '_')}` : `with_playbook_${name}`
}
