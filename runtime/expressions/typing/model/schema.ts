import type { Json } from '../../../domain/index.ts'
import { boundedly, step } from './effort.ts'
import { intersect } from './intersect.ts'
import {
  any,
  integer,
  isAny,
  type ListType,
  never,
  nullable,
  number,
  type ObjectType,
  objectOf,
  only,
  optional,
  plainText,
  type TextType,
  type Type,
  typeOfValue,
  unionOf,
  unsaid,
} from './type.ts'

type Schema = Readonly<Record<string, Json>>

const kept = new WeakMap<object, Type>()

/**
 * Returns the type that a JSON Schema (2020-12) describes. It ignores what a type cannot express (lengths,
 * patterns, `not`, `if`), so the type allows at least what the schema allows. A property that is not required
 * may be missing. But a schema that requires no property at all says nothing about which ones may be missing.
 */
export function typeOfSchema(schema: Json): Type {
  if (!isSchema(schema)) return schema === false ? never : any
  const known = kept.get(schema)
  if (known !== undefined) return known
  // Bounded, because references can multiply: many paths may lead to the same subschema.
  const type = boundedly(() => new Reader(schema).read(schema), any)
  kept.set(schema, type)
  return type
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listIn(value: Json | undefined): readonly Json[] | null {
  return Array.isArray(value) ? (value as readonly Json[]) : null
}

class Reader {
  readonly #root: Schema
  /** The references that are being followed. A reference to one of them is recursive and has any type. */
  readonly #open = new Set<string>()

  constructor(root: Schema) {
    this.#root = root
  }

  read(schema: Json | undefined): Type {
    step()
    if (!isSchema(schema)) return schema === false ? never : any
    const parts = [this.#kinds(schema)]
    const { $ref: reference, const: constant } = schema
    if (typeof reference === 'string') parts.push(this.#referred(reference))
    if (constant !== undefined) parts.push(typeOfValue(constant))
    const values = listIn(schema['enum'])
    if (values !== null) parts.push(unionOf(values.map(typeOfValue)))
    for (const one of listIn(schema['allOf']) ?? []) parts.push(this.read(one))
    for (const key of ['anyOf', 'oneOf']) {
      const choice = listIn(schema[key])
      if (choice !== null) parts.push(unionOf(choice.map((one) => this.read(one))))
    }
    const type = parts.reduce(intersect)
    return schema['nullable'] === true ? nullable(type) : type
  }

  #referred(reference: string): Type {
    if (this.#open.has(reference)) return any
    let target: Json | undefined = this.#root
    if (!reference.startsWith('#')) return any
    for (const part of reference.slice(1).split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      target = typeof target === 'object' && target !== null && Object.hasOwn(target, key) ? (target as Schema)[key] : undefined
    }
    this.#open.add(reference)
    const type = target === undefined ? any : this.read(target)
    this.#open.delete(reference)
    return type
  }

  #kinds(schema: Schema): Type {
    const named = schema['type']
    const all = named === undefined
    const types = typeof named === 'string' ? [named] : (listIn(named) ?? [])
    const whole = types.includes('integer') && !types.includes('number')
    // Integers beyond 2^53 are read as texts.
    const digits = schema['format'] === 'int64-string' || schema['format'] === 'integer-string'
    const numeric = types.includes('number') || types.includes('integer')
    const type: Type = {
      ...only(
        any,
        ...(all || types.includes('null') ? (['null'] as const) : []),
        ...(all || types.includes('boolean') ? (['boolean'] as const) : []),
      ),
      number: digits ? null : whole ? integer.number : all || numeric ? number.number : null,
      text: all || types.includes('string') || (numeric && digits) ? textIn(schema) : null,
      list: all || types.includes('array') ? this.#list(schema) : null,
      object: all || types.includes('object') ? this.#object(schema) : null,
    }
    return all && type.text === plainText && type.list === any.list && type.object === any.object && !digits ? any : type
  }

  #list(schema: Schema): ListType | null {
    const { items, prefixItems, minItems } = schema
    if (items === undefined && prefixItems === undefined && minItems === undefined) return any.list
    const heads = (listIn(prefixItems) ?? []).map((one) => this.read(one))
    const others = items === undefined && heads.length > 0 ? [any] : [this.read(items)]
    return { items: unionOf([...heads, ...others]), least: typeof minItems === 'number' ? minItems : 0 }
  }

  #object(schema: Schema): ObjectType | null {
    const { properties, additionalProperties: more, unevaluatedProperties, patternProperties } = schema
    const required = listIn(schema['required'])
    if (properties === undefined && more === undefined && required === null && unevaluatedProperties === undefined) return any.object
    const fields = new Map<string, Type>()
    for (const [name, property] of Object.entries(isSchema(properties) ? properties : {})) {
      fields.set(name, this.#member(this.read(property), name, required))
    }
    for (const name of required ?? []) if (typeof name === 'string' && !fields.has(name)) fields.set(name, any)
    const patterned = isSchema(patternProperties)
    if ((more === false || unevaluatedProperties === false) && !patterned) return objectOf(fields).object
    if (isSchema(more) && !patterned) return objectOf(fields, 'open', optional(this.read(more), 'unsaid')).object
    return objectOf(fields, more !== undefined || patterned || properties === undefined ? 'open' : 'declared', unsaid).object
  }

  #member(type: Type, name: string, required: readonly Json[] | null): Type {
    if (required?.includes(name) === true) return type
    const absence = required === null || required.length === 0 ? 'unsaid' : 'maybe'
    return isAny(type) ? { ...any, absence } : { ...type, absence }
  }
}

function textIn({ format, 'x-semantic': semantic }: Schema): TextType {
  if (typeof format !== 'string' && typeof semantic !== 'string') return plainText
  return { values: null, format: typeof format === 'string' ? format : null, semantic: typeof semantic === 'string' ? semantic : null }
}
