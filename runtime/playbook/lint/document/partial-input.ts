import { isObject, type Json } from '../../../domain/index.ts'
import { isTemplate } from '../../../expressions/index.ts'
import * as typing from '../../../expressions/typing/index.ts'

type Schema = Readonly<Record<string, Json>>

/** One member of an input: its value, or the type of its template. */
type Member =
  | { readonly kind: 'known'; readonly value: Json; readonly byDefault: boolean }
  | { readonly kind: 'open'; readonly type: typing.Type; readonly surely: boolean }

/** What is known of a skill's input before its templates are rendered, with the schema's defaults. */
export type PartialInput = ReadonlyMap<string, Member>

/** @param typeOf returns the type of a value with templates */
export function partialInput(given: Schema, schema: Schema, typeOf: (value: Json) => typing.Type): PartialInput {
  const members = new Map<string, Member>()
  const { properties } = schema
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    const standard = isObject(property) ? property['default'] : undefined
    if (standard !== undefined) members.set(name, { kind: 'known', value: standard, byDefault: true })
  }
  for (const [name, value] of Object.entries(given)) {
    if (!holdsTemplate(value)) {
      members.set(name, { kind: 'known', value, byDefault: false })
      continue
    }
    const type = typeOf(value)
    const standard = members.get(name)
    // A missing value is left out, and the default is used.
    const open = standard?.kind === 'known' && type.absence !== 'no' ? typing.union(typing.present(type), typing.typeOfValue(standard.value)) : type
    members.set(name, { kind: 'open', type: typing.present(open), surely: type.absence === 'no' || standard !== undefined })
  }
  return members
}

/** Returns whether a value has a template in it, at any depth. */
export function holdsTemplate(value: Json): boolean {
  if (typeof value === 'string') return isTemplate(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsTemplate)
}

/** Null: it depends on what the templates return. */
export type Truth = boolean | null

export function every(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true
}

export function some(truths: readonly Truth[]): Truth {
  return not(every(truths.map(not)))
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

/** Returns whether an input has a member. */
export function isThere(input: PartialInput, name: string): Truth {
  const member = input.get(name)
  return member === undefined ? false : member.kind === 'known' || member.surely ? true : null
}

/** Returns whether an input fits a schema. Considers keywords about the presence of members and about their values. */
export function fits(input: PartialInput, schema: Json): Truth {
  if (!isObject(schema)) return schema !== false
  return every(Object.entries(schema).map(([keyword, value]) => fitsKeyword(input, keyword, value, schema)))
}

function fitsKeyword(input: PartialInput, keyword: string, value: Json, schema: Schema): Truth {
  const names = Array.isArray(value) ? (value as readonly Json[]).map(String) : []
  const parts = Array.isArray(value) ? (value as readonly Json[]) : []
  switch (keyword) {
    case 'required':
      return every(names.map((name) => isThere(input, name)))
    case 'properties':
      return every(Object.entries(isObject(value) ? value : {}).map(([name, property]) => fitsMember(input, name, property)))
    case 'dependentRequired':
      return every(
        Object.entries(isObject(value) ? value : {}).map(([name, needed]) => some([not(isThere(input, name)), fits(input, { required: needed })])),
      )
    case 'dependentSchemas':
      return every(Object.entries(isObject(value) ? value : {}).map(([name, needed]) => some([not(isThere(input, name)), fits(input, needed)])))
    case 'minProperties':
      return [...input.keys()].length < Number(value)
        ? false
        : [...input.keys()].filter((name) => isThere(input, name)).length >= Number(value) || null
    case 'allOf':
      return every(parts.map((part) => fits(input, part)))
    case 'anyOf':
      return some(parts.map((part) => fits(input, part)))
    case 'oneOf':
      return exactlyOne(parts.map((part) => fits(input, part)))
    case 'not':
      return not(fits(input, value))
    case 'if': {
      const chosen = fits(input, value)
      const [then, otherwise] = [fits(input, schema['then'] ?? true), fits(input, schema['else'] ?? true)]
      return chosen === null ? (then === otherwise ? then : null) : chosen ? then : otherwise
    }
    case 'type':
      return value === 'object' || null
    case 'then':
    case 'else':
    case 'description':
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return true
    default:
      return keyword.startsWith('x-') || null
  }
}

function exactlyOne(truths: readonly Truth[]): Truth {
  const held = truths.filter((truth) => truth === true).length
  if (held > 1) return false
  return truths.includes(null) ? null : held === 1
}

function fitsMember(input: PartialInput, name: string, schema: Json): Truth {
  const member = input.get(name)
  if (member === undefined) return true
  if (schema === false) return not(isThere(input, name))
  if (member.kind === 'known') return fitsValue(member.value, schema)
  // A template whose type never fits is a mistake if its value is present.
  const never = typing.fitOf(member.type, typing.typeOfSchema(schema)).fits === 'never'
  return never && member.surely ? false : isObject(schema) && Object.keys(schema).length === 0 ? true : null
}

/** Returns whether a known value fits the common keywords. Null if the schema has others. */
function fitsValue(value: Json, schema: Json): Truth {
  if (!isObject(schema)) return schema !== false
  return every(
    Object.entries(schema).map(([keyword, needed]): Truth => {
      switch (keyword) {
        case 'const':
          return JSON.stringify(value) === JSON.stringify(needed)
        case 'enum':
          return (Array.isArray(needed) ? (needed as readonly Json[]) : []).some((one) => JSON.stringify(one) === JSON.stringify(value))
        case 'type':
          return typing.fitOf(typing.typeOfValue(value), typing.typeOfSchema({ type: needed })).fits === 'always'
        case 'minItems':
          return !Array.isArray(value) || value.length >= Number(needed)
        case 'maxItems':
          return !Array.isArray(value) || value.length <= Number(needed)
        case 'description':
          return true
        default:
          return null
      }
    }),
  )
}
