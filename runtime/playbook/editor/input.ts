import { isObject, type Json } from '../../domain/index.ts'

type Schema = { readonly [key: string]: Json }

/** A string with a template. It may replace any value. */
const template: Schema = { type: 'string', pattern: '\\{\\{|\\{%' }

/** Keywords that describe a value for its author, and those that a literal value must satisfy. */
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
 * Returns the schema of an input of a skill or sub-playbook, as a step writes it: a template may replace every value. Leaves out keywords that
 * depend on other values (`if`, `allOf`, …), because templates have no value yet.
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
  // Anything is allowed, so templates are too.
  return Object.keys(own).length === 0 ? notes : { ...notes, anyOf: [own, template] }
}
