import type { Json } from '../../domain/index.ts'

type Schema = Readonly<Record<string, Json>>

/**
 * What of an output's schema is a contract: what it requires is there, and is of the kind that it says. All else of it (what is not required,
 * values, formats, lengths) is an expectation, and left out here.
 * @returns a schema that allows at least what the given one does
 */
export function contractOf(schema: Schema): Schema {
  return partOf(schema, new Set())
}

/** Keywords that are taken over as they are. */
const taken = ['type', 'nullable'] as const
/** References to what is taken over, too. */
const followed = /^#(\/(\$defs|definitions)\/[^/]+)?$/

/** @param needed what a schema around this one requires of the same value */
function partOf(schema: Schema, needed: ReadonlySet<string>): Schema {
  const own = textsIn(schema['required'])
  const required = new Set([...needed, ...own])
  const entries: (readonly [string, Json])[] = taken.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]] as const]))
  const { $ref: reference } = schema
  if (typeof reference === 'string' && followed.test(reference)) entries.push(['$ref', reference])
  if (own.length > 0) entries.push(['required', own])
  const { properties } = schema
  if (isSchema(properties)) {
    const kept = Object.entries(properties).filter(([name]) => required.has(name))
    if (kept.length > 0) entries.push(['properties', mapped(kept)])
  }
  for (const key of ['items', 'additionalProperties'] as const) if (isSchema(schema[key])) entries.push([key, partOf(schema[key], none)])
  if (Array.isArray(schema['prefixItems'])) entries.push(['prefixItems', listed(schema['prefixItems'], none)])
  // Without the values that tell them apart, several of `oneOf` may fit.
  const choices = [schema['allOf'], schema['anyOf'], schema['oneOf']]
  for (const [at, list] of choices.entries())
    if (Array.isArray(list)) entries.push([at === 0 ? 'allOf' : 'anyOf', listed(list as readonly Json[], required)])
  for (const key of ['$defs', 'definitions'] as const) if (isSchema(schema[key])) entries.push([key, mapped(Object.entries(schema[key]))])
  return merged(entries)
}

const none: ReadonlySet<string> = new Set()

/** `anyOf` beside what was `oneOf` must both hold. */
function merged(entries: readonly (readonly [string, Json])[]): Schema {
  const choices = entries.filter(([key]) => key === 'anyOf')
  if (choices.length < 2) return Object.fromEntries(entries)
  const rest = Object.fromEntries(entries.filter(([key]) => key !== 'anyOf'))
  const all = [...((rest['allOf'] as readonly Json[] | undefined) ?? []), ...choices.map(([, anyOf]) => ({ anyOf }))]
  return { ...rest, allOf: all }
}

function mapped(entries: readonly (readonly [string, Json])[]): Schema {
  return Object.fromEntries(entries.map(([name, schema]) => [name, isSchema(schema) ? partOf(schema, none) : true]))
}

function listed(schemas: readonly Json[], needed: ReadonlySet<string>): readonly Json[] {
  return schemas.map((schema) => (isSchema(schema) ? partOf(schema, needed) : true))
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * What of a value its contract names: of an output that is too large, the part that others build on.
 * @param contract as `contractOf` makes it
 */
export function contractualPart(value: Json, contract: Schema): Json {
  if (Array.isArray(value)) {
    const { items } = contract
    return isSchema(items) ? value.map((item) => contractualPart(item, items)) : []
  }
  if (typeof value !== 'object' || value === null) return value
  const { properties = {}, required } = contract
  const named = isSchema(properties) ? properties : {}
  return Object.fromEntries(
    textsIn(required).flatMap((name) => {
      if (!Object.hasOwn(value, name)) return []
      const member = (value as Schema)[name] as Json
      const schema = named[name]
      return [[name, isSchema(schema) ? contractualPart(member, schema) : member]]
    }),
  )
}
