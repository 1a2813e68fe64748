import { isObject, type Json } from '../../domain/index.ts'

type Schema = { readonly [key: string]: Json }

/** A string that a template makes: it may stand in place of any value. */
const template: Schema = { type: 'string', pattern: '\\{\\{|\\{%' }

/** What says something to whoever fills the value in, and what a value that is written out must be. */
const kept = [
  'type',
  'enum',
  'const',
  'default',
  'examples',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
] as const

/**
 * The schema of a skill's or a sub-playbook's input as a step writes it: templates are allowed in place of every value. What depends on other values
 * (`if`, `allOf`, …) is left to the run, since a template has none yet.
 */
export function inputSchema(input: Schema): Schema {
  return { ...shape(input), additionalProperties: input['additionalProperties'] ?? true }
}

function shape(schema: Schema): Schema {
  const { properties, items, required, additionalProperties, description } = schema
  const own: Record<string, Json> = {}
  for (const key of kept) if (schema[key] !== undefined) own[key] = schema[key]
  if (isObject(properties)) {
    own['properties'] = Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, isObject(inner) ? valueSchema(inner) : inner]))
    if (required !== undefined) own['required'] = required
    if (additionalProperties === false) own['additionalProperties'] = false
  }
  if (isObject(items)) own['items'] = valueSchema(items)
  if (description !== undefined) own['description'] = description
  return own
}

function valueSchema(schema: Schema): Json {
  const { description, default: standard, examples, ...own } = shape(schema)
  const notes = {
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
    ...(examples !== undefined && { examples }),
  }
  // Anything at all: a template is one of the things.
  return Object.keys(own).length === 0 ? notes : { ...notes, anyOf: [own, template] }
}
