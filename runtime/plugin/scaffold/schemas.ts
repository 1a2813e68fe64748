import { isObject, type Json } from '../../domain/index.ts'
import { type JsonObject, listAt, type OpenApi, objectAt, textAt } from './document.ts'
import { oneLine } from './names.ts'

/** How deep a schema is copied. Below, any value fits. */
const deepest = 6
/** How many schemas are read for a skill's input or output at most. Beyond that, any value fits. */
const mostSchemas = 2_000
const longestDescription = 300

const kept = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'exclusiveMinimum', 'exclusiveMaximum'] as const
/** Formats that Tocsin checks. It would refuse any other. */
const formats = new Set(['email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid', 'date-time', 'date'])
const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/**
 * Copies schemas of a document into JSON Schemas of a skill. Leaves out what Tocsin does not know, so the copy accepts at least what the
 * original does.
 */
export class Schemas {
  readonly #document: OpenApi
  readonly #strict: boolean
  #read = 0

  /** @param strict whether to keep what is required: for inputs. An output promises only what its author says it does */
  constructor(document: OpenApi, strict: boolean) {
    this.#document = document
    this.#strict = strict
  }

  copy(value: Json | undefined, depth = 0): JsonObject {
    if (depth > deepest || this.#read > mostSchemas) return {}
    const whole = this.flat(value)
    const copy: Record<string, Json> = {}
    const type = typeOf(whole)
    if (type !== null) copy['type'] = type
    const description = textAt(whole, 'description')
    if (description) copy['description'] = oneLine(description, longestDescription)
    const format = textAt(whole, 'format')
    if (format && formats.has(format) && hasType(type, 'string')) copy['format'] = format
    const values = [...new Set([...listAt(whole, 'enum'), ...(whole['nullable'] === true ? [null] : [])])].filter((one) => fits(one, type))
    if (this.#strict && whole['enum'] !== undefined && values.length > 0) copy['enum'] = values
    if (this.#strict) for (const key of kept) if (typeof whole[key] === 'number') copy[key] = whole[key]
    const { default: usual } = whole
    if (this.#strict && isScalar(usual) && fits(usual, type) && (copy['enum'] === undefined || values.includes(usual))) copy['default'] = usual
    const properties = Object.entries(objectAt(whole, 'properties'))
    if (properties.length > 0) {
      copy['type'] ??= 'object'
      copy['properties'] = Object.fromEntries(properties.map(([name, one]) => [name, this.copy(one, depth + 1)]))
    }
    const required = listAt(whole, 'required').filter((name) => typeof name === 'string' && properties.some(([known]) => known === name))
    if (this.#strict && required.length > 0) copy['required'] = [...new Set(required)]
    if (whole['items'] !== undefined) {
      copy['type'] ??= 'array'
      copy['items'] = this.copy(whole['items'], depth + 1)
    }
    return copy
  }

  /** Returns a schema with its references and `allOf` merged into it. */
  flat(value: Json | undefined, depth = 0): JsonObject {
    this.#read += 1
    const own = this.#document.resolve(value)
    const only = oneOrNull(own)
    if (only && depth < deepest) return { ...this.flat(only, depth + 1), nullable: true }
    if (depth >= deepest || this.#read > mostSchemas) return own
    return listAt(own, 'allOf')
      .map((part) => this.flat(part, depth + 1))
      .reduce<JsonObject>(merged, own)
  }
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  return {
    ...other,
    ...one,
    properties: { ...objectAt(other, 'properties'), ...objectAt(one, 'properties') },
    required: [...listAt(other, 'required'), ...listAt(one, 'required')],
  }
}

/** Returns the only schema besides `null` in an `anyOf` or `oneOf`. Null: there is none, or there are several. */
function oneOrNull(schema: JsonObject): Json | null {
  const all = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]
  const others = all.filter((one) => !(isObject(one) && one['type'] === 'null'))
  return others.length === 1 && all.length === 2 ? (others[0] ?? null) : null
}

function typeOf({ type, nullable }: JsonObject): string | string[] | null {
  const named = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string' && types.has(one))
  if (named.length === 0) return null
  const all = nullable === true && !named.includes('null') ? [...named, 'null'] : named
  return all.length === 1 ? (all[0] ?? null) : all
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Returns whether a value is of a type, and neither a list nor an object. */
function fits(value: Json, type: string | string[] | null): boolean {
  if (value === null) return type === null || hasType(type, 'null')
  if (!isScalar(value)) return false
  return type === null || hasType(type, typeof value) || (Number.isInteger(value) && hasType(type, 'integer'))
}

function hasType(type: string | string[] | null, wanted: string): boolean {
  return [type].flat().includes(wanted)
}
