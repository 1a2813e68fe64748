import type { Ajv, FuncKeywordDefinition } from 'ajv'
import { isObject, type Json } from '../../domain/index.ts'

type Schema = { readonly [key: string]: Json }

/**
 * The work units for checking a value against one subschema: a fixed amount, plus some for each
 * character of a text or each field of an object.
 */
interface PartWork {
  readonly part: number
  readonly character: number
  readonly name: number
  /**
   * The types that a value may have. Null: any. `x-work` checks them, because Ajv checks `type`
   * before every keyword, and so before any charge.
   */
  readonly types: readonly string[] | null
}

/** The keyword that we add to every subschema of a tenant's schema. */
const workKeyword = 'x-work'

/** The most subschemas of a tenant's schema. Compiling one takes about a third of a millisecond. */
const mostParts = 200
/** How deep subschemas may be nested. */
const mostLevels = 50

const oneInside = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]
const listInside = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const namedInside = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/** Other ways to name or refer to a schema than `$ref: '#/…'`. They are not allowed. */
const otherNames = ['$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef', '$vocabulary']

/**
 * Returns a copy of a tenant's schema in which each subschema has `x-work`, so that checks can be
 * charged.
 * @throws Error if it has too many subschemas or levels, or refers to something that is not one of
 * its subschemas
 */
export function withWork(schema: Schema): Schema {
  const places = new Set<string>()
  const references: string[] = []
  const within = (value: Json | undefined, place: readonly string[], level: number): Json => {
    places.add(place.join('/'))
    if (places.size > mostParts) throw new Error(`it contains more than ${mostParts} schemas`)
    if (level > mostLevels) throw new Error(`it nests schemas more than ${mostLevels} deep`)
    if (typeof value === 'boolean') return { [workKeyword]: { ...workOf({}), types: value ? null : [] } as unknown as Json }
    if (!isObject(value)) return value ?? true
    const other = otherNames.find((name) => Object.hasOwn(value, name))
    if (other !== undefined) throw new Error(`${other} is not supported; use $ref: '#/$defs/…' to refer to a part of the schema`)
    if (Object.hasOwn(value, workKeyword)) throw new Error(`${workKeyword} is reserved for Tocsin`)
    if (typeof value['$ref'] === 'string') references.push(value['$ref'])
    const copy: Record<string, Json> = { ...value, [workKeyword]: workOf(value) as unknown as Json }
    // Ajv refuses two schemas with the same $id, and two playbooks may use the same one.
    delete copy['$id']
    if (typesOf(value) !== null) delete copy['type']
    // Keep plain booleans here, because Ajv has better messages for them.
    for (const key of oneInside) if (isObject(value[key])) copy[key] = within(value[key], [...place, key], level + 1)
    for (const key of listInside) {
      const list = value[key]
      if (Array.isArray(list)) copy[key] = (list as readonly Json[]).map((one, index) => within(one, [...place, key, String(index)], level + 1))
    }
    for (const key of namedInside) {
      const named = value[key]
      if (isObject(named))
        copy[key] = Object.fromEntries(Object.entries(named).map(([name, one]) => [name, within(one, [...place, key, escaped(name)], level + 1)]))
    }
    return copy
  }
  const all = within(schema, [], 0) as Schema
  // A $ref into an example or a default would be checked without a charge.
  const astray = references.find((reference) => !places.has(placeNamed(reference)))
  if (astray !== undefined) throw new Error(`$ref ${JSON.stringify(astray)} does not refer to a part of the schema, such as '#/$defs/<name>'`)
  return all
}

/** Returns the schemas directly inside a schema, each with its path. */
export function schemasIn(schema: Schema): readonly { readonly path: readonly (string | number)[]; readonly part: Json }[] {
  const of = (key: string): Json => schema[key] ?? null
  return [
    ...oneInside.flatMap((key) => (schema[key] === undefined ? [] : [{ path: [key], part: of(key) }])),
    ...listInside.flatMap((key) => (Array.isArray(of(key)) ? (of(key) as readonly Json[]).map((part, at) => ({ path: [key, at], part })) : [])),
    ...namedInside.flatMap((key) => Object.entries(objectOf(of(key))).map(([name, part]) => ({ path: [key, name], part }))),
  ]
}

/** Escapes a name for a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function placeNamed(reference: string): string {
  if (reference === '#') return ''
  if (!reference.startsWith('#/')) return '/elsewhere'
  try {
    return decodeURIComponent(reference.slice(2))
  } catch {
    return '/elsewhere'
  }
}

function workOf(schema: Schema): PartWork {
  const count = (key: string): number => nodesIn(schema[key])
  const properties = Object.keys(objectOf(schema['properties'])).length
  const names = ['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'minProperties', 'maxProperties']
  return {
    part: 20 + 2 * (count('enum') + count('const') + count('required') + count('dependentRequired') + properties),
    character: ['minLength', 'maxLength'].some((key) => schema[key] !== undefined) ? 1 : 0,
    name: names.some((key) => schema[key] !== undefined) ? 30 + properties : 0,
    types: typesOf(schema),
  }
}

/** The types that a schema may name. */
export const typeNames: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

/**
 * Returns the types that a schema names. Null if it names none, or something invalid that Ajv will
 * report.
 */
function typesOf({ type }: Schema): readonly string[] | null {
  const types = (Array.isArray(type) ? type : [type]) as readonly (Json | undefined)[]
  const known = types.every((one): one is string => typeof one === 'string' && typeNames.includes(one))
  return known && types.length > 0 && new Set(types).size === types.length ? types : null
}

/** Returns whether a value has a type that a schema names. */
export function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

function nodesIn(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1
  return Object.values(value as Readonly<Record<string, Json>>).reduce<number>((sum, one) => sum + nodesIn(one), 1)
}

function objectOf(value: Json | undefined): Schema {
  return isObject(value) ? value : {}
}

/**
 * Adds the keyword `x-work`. It charges for the check of a subschema and checks the type, before
 * all other keywords of the subschema.
 */
export function addWork(ajv: Ajv, pay: (work: number) => void): void {
  ajv.addKeyword(workCheck(pay))
  // Ajv checks keywords in the order in which they were added, and stops at the first that fails. So
  // move ours to the front.
  const group = ajv.RULES.rules.find(({ rules }) => rules.some(({ keyword }) => keyword === workKeyword))
  group?.rules.sort((a, b) => Number(b.keyword === workKeyword) - Number(a.keyword === workKeyword))
}

function workCheck(pay: (work: number) => void): FuncKeywordDefinition {
  return {
    keyword: workKeyword,
    schemaType: 'object',
    errors: true,
    compile: ({ part, character, name, types }: PartWork) => {
      const [keyword, message] = types?.length === 0 ? ['false schema', 'does not fit'] : ['type', `must be ${types?.join(',') ?? ''}`]
      const wrong = { keyword, message, params: { type: types } }
      const check: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (value: unknown) => {
        let work = part
        if (typeof value === 'string') work += value.length * character
        else if (name > 0 && typeof value === 'object' && value !== null) work += Object.keys(value).length * name
        pay(work)
        if (types === null || types.some((type) => hasType(value, type))) return true
        check.errors = [{ ...wrong }]
        return false
      }
      return check
    },
  }
}
