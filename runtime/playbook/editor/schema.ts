import type { Json } from '../../domain/index.ts'
import { operatorReference } from '../../expressions/index.ts'
import { isObject } from '../compile/names.ts'
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
    $defs: { ...(complete(others, world) as Schema), step: stepSchema(world), rule: ruleSchema(), ...skillInputs(world.integrations) },
  }
}

/**
 * An editor completes a step before it is of any kind: then every key is there, with what may stand under it. As soon as the key of a kind
 * is written, that kind's own schema applies.
 */
function stepSchema(world: EditorWorld): Schema {
  const kinds = stepKinds.map(({ key, schema }) => ({ key, schema: complete(JSON.parse(JSON.stringify(schema)) as Json, world) as Schema }))
  const properties: Record<string, Json> = {}
  for (const { key, schema } of kinds) {
    const { description } = schema
    for (const [name, value] of Object.entries(schema['properties'] as Schema)) {
      // What makes a step of a kind says what the kind is for.
      if (name === key) properties[name] = { ...(isObject(value) ? value : {}), ...(description !== undefined && { description }) }
      else properties[name] ??= value
    }
  }
  const undecided: Schema = { required: ['id'], properties, additionalProperties: false, anyOf: kinds.map(({ key }) => ({ required: [key] })) }
  return {
    type: 'object',
    ...kinds.reduceRight<Schema>((otherwise, { key, schema }) => ({ if: { required: [key] }, then: schema, else: otherwise }), undecided),
  }
}

/** A json-logic rule, or the arguments of an operator. An object in it is always a rule, so that a misspelt operator shows. */
function ruleSchema(): Schema {
  const operators = Object.values(operatorReference).flatMap((group) => Object.entries(group))
  const one = ([name, { does, example }]: (typeof operators)[number]): [string, Json] => [
    name,
    { description: `${does}\n\n${JSON.stringify(example)}`, $ref: '#/$defs/rule' },
  ]
  return { properties: Object.fromEntries(operators.map(one)), additionalProperties: false, items: { $ref: '#/$defs/rule' } }
}

/** Puts the names of the world where they may stand, wherever that is in a schema. */
function complete(value: Json, world: EditorWorld): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => complete(item, world))
  if (!isObject(value)) return value
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
  if (value['required'] !== undefined && !('format' in properties)) name('playbook', world.playbooks)
  if (isObject(filled['on']) && 'attempts' in properties) filled['on'] = codesIn(filled['on'], integrations)
  if (!('skill' in properties) || !('with' in properties)) return { ...schema, properties: filled }
  const rules = skillRules(integrations)
  return {
    ...schema,
    properties: { ...filled, skill: skillNames(filled['skill'] as Schema, integrations) },
    ...(rules.length > 0 && { allOf: rules }),
  }
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

function skillNames({ description, ...own }: Schema, integrations: readonly EditorIntegration[]): Schema {
  const skills = integrations.flatMap(({ id, skills: known }) =>
    [...known].map(([name, { impact, document }]) => ({
      const: `${id}.${name}`,
      title: document.title,
      description: [`${impact}: ${document.purpose}`, ...(document.warnings ?? [])].join('\n\n'),
    })),
  )
  return { ...noted(description), ...(skills.length === 0 ? own : { anyOf: [...skills, own] }) }
}

/** Where the skill is known, `with` is its input. */
function skillRules(integrations: readonly EditorIntegration[]): readonly Schema[] {
  return integrations.flatMap(({ id, skills }) =>
    [...skills].map(([name, { document }]) => {
      const { required } = document.input
      const needed = Array.isArray(required) && required.length > 0
      return {
        if: { required: ['skill'], properties: { skill: { const: `${id}.${name}` } } },
        then: { ...(needed && { required: ['with'] }), properties: { with: { $ref: `#/$defs/${defName(id, name)}` } } },
      }
    }),
  )
}

function skillInputs(integrations: readonly EditorIntegration[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    integrations.flatMap(({ id, skills }) => [...skills].map(([name, { document }]) => [defName(id, name), inputSchema(document.input)])),
  )
}

function defName(integration: string, skill: string): string {
  return `with_${integration}_${skill}`
}
