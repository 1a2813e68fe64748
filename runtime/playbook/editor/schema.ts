import { isObject, type Json } from '../../domain/index.ts'
import { operatorGroups } from '../../expressions/index.ts'
import { playbookSchema, stepKinds } from '../grammar/index.ts'
import { inputSchema } from './input.ts'
import type { EditorIntegration, EditorWorld } from './world.ts'

type Schema = { readonly [key: string]: Json }

/**
 * Returns the JSON Schema of a playbook for editors: the grammar with the known names. Unknown names are allowed where they may come from
 * elsewhere. The compiler knows the loaded plugins, and reports names that do not exist.
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
  /** The key or value that distinguishes it from the other kinds. */
  readonly key: string
  readonly schema: Schema
}

function stepSchema(world: EditorWorld): Schema {
  return chosenByKey(stepKinds.map(({ key, schema }) => ({ key, schema: complete(JSON.parse(JSON.stringify(schema)) as Json, world) as Schema })))
}

/**
 * Lets an editor complete a step that has no kind yet: all keys of all kinds are offered. As soon as the key of a kind is written, only the
 * schema of that kind applies.
 */
function chosenByKey(kinds: readonly Kind[]): Schema {
  const properties: Record<string, Json> = {}
  for (const { key, schema } of kinds) {
    const { description } = schema
    for (const [name, value] of Object.entries(schema['properties'] as Schema)) {
      // The key of a kind carries the description of the kind.
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
    // If nothing is written yet, there is no object, and so no kind.
    ...kinds.reduceRight<Schema>(
      (otherwise, { key, schema }) => ({ if: { type: 'object', required: [key] }, then: schema, else: otherwise }),
      undecided,
    ),
  }
}

function requiredBy({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : []
}

/** Returns the kinds that a schema chooses from by a key. The key of the last kind is its first required key. Null if the schema has no choice. */
function kindsIn({ if: asked, then: schema, else: otherwise }: Schema): readonly Kind[] | null {
  if (!isObject(asked) || !isObject(schema) || !isObject(otherwise)) return null
  const [key] = requiredBy(asked)
  const [last] = requiredBy(otherwise)
  const others = kindsIn(otherwise) ?? (last === undefined ? null : [{ key: last, schema: otherwise }])
  return key === undefined || others === null ? null : [{ key, schema }, ...others]
}

/**
 * Returns the schema of a JSON Logic rule, or of the arguments of an operator. An object is always a rule, so
 * that editors show misspelt operators.
 */
function ruleSchema(): Schema {
  const operators = Object.values(operatorGroups).flat()
  const one = ({ name, text, example }: (typeof operators)[number]): [string, Json] => [
    name,
    { description: `${text}\n\n${JSON.stringify(example)}`, $ref: '#/$defs/rule' },
  ]
  return { properties: Object.fromEntries(operators.map(one)), additionalProperties: false, items: { $ref: '#/$defs/rule' } }
}

/** Adds the known names to a schema, wherever they are allowed. */
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

/** Returns the schema of a name: one of these, or another one of the right form. */
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

/** The schemas of what a step may call: names, and the input of each. */
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

/** Steps, polls and steps without a kind can all call the same things, so their schemas are stored once and referenced. */
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

/** If the called name is known, `with` must fit its input. */
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
