import type { Json } from '../../domain/index.ts'

type Schema = Readonly<Record<string, Json>>

/**
 * Returns the contract in an output's schema: which fields are required, and their types. The rest
 * (optional fields, values, formats, lengths) is only an expectation and is left out.
 * @returns a schema that allows at least what the given one allows
 */
export function contractOf(schema: Schema): Schema {
  return partOf(schema, new Set())
}

/** Keywords that are copied unchanged. */
const taken = ['type', 'nullable'] as const
/** References that are copied too, because their targets are. */
const followed = /^#(\/(\$defs|definitions)\/[^/]+)?$/

/** @param needed what an enclosing schema requires of the same value */
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
  // `oneOf` becomes `anyOf`: without the values that tell its schemas apart, several may match.
  const choices = [schema['allOf'], schema['anyOf'], schema['oneOf']]
  for (const [at, list] of choices.entries())
    if (Array.isArray(list)) entries.push([at === 0 ? 'allOf' : 'anyOf', listed(list as readonly Json[], required)])
  for (const key of ['$defs', 'definitions'] as const) if (isSchema(schema[key])) entries.push([key, mapped(Object.entries(schema[key]))])
  return merged(entries)
}

const none: ReadonlySet<string> = new Set()

/** Combines two `anyOf`: the schema's own, and the one that was `oneOf`. A value must satisfy both. */
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
 * Returns the part of a value that its contract names. If an output is too large, this is what is
 * kept.
 * @param contract the result of `contractOf`
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
