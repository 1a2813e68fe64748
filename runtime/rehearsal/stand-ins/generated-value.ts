import { isObject, type Json } from '../../domain/index.ts'

type Schema = { readonly [key: string]: Json }

/** `all`: every member that a schema declares. `required`: only the required ones. */
export type Members = 'all' | 'required'

/** Below this depth only required members are made, because schemas may refer to themselves. */
const mostDepth = 6

const formats: Readonly<Record<string, string>> = {
  email: 'someone@example.com',
  ip: '203.0.113.7',
  ipv4: '203.0.113.7',
  ipv6: '2001:db8::7',
  hostname: 'host.example.com',
  uri: 'https://example.com/path',
  'uri-reference': '/path',
  uuid: '00000000-0000-7000-8000-00000000000a',
  date: '2026-01-01',
  time: '00:00:00Z',
  'date-time': '2026-01-01T00:00:00Z',
  duration: 'PT1H',
  'int64-string': '1001',
  'integer-string': '1001',
  regex: '.*',
}

const semantics: Readonly<Record<string, string>> = {
  email_address: 'someone@example.com',
  domain: 'example.com',
  hostname: 'host.example.com',
  ip_address: '203.0.113.7',
  url: 'https://example.com/path',
  sha256: 'a'.repeat(64),
  sha1: 'a'.repeat(40),
  md5: 'a'.repeat(32),
}

/**
 * Makes a value that fits a JSON Schema, always the same one. Uses the schema's const, first enum
 * value, first example or default if it has one, or else the smallest value of its type. A list
 * gets one item. It does not solve patterns and the like, so callers must check the value against
 * the schema.
 */
export function generatedValue(schema: Schema, members: Members): Json {
  return make(schema, members, schema, 0)
}

/**
 * Adds the members that a value's schema requires and the value lacks. Generates an empty object
 * completely.
 */
export function completedValue(value: Json, schema: Schema): Json {
  return complete(value, schema, schema)
}

function resolved(schema: Schema, root: Schema): Schema {
  const { $ref } = schema
  const target =
    typeof $ref === 'string' && $ref.startsWith('#')
      ? $ref
          .split('/')
          .slice(1)
          .reduce<Json | undefined>((at, part) => (isObject(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), root)
      : undefined
  const own = isObject(target) ? { ...target, ...without(schema, '$ref') } : schema
  const parts = [own['allOf']].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]).filter(isObject) : []))
  return parts.reduce<Schema>((whole, part) => merged(whole, resolved(part, root)), without(own, 'allOf'))
}

function without(schema: Schema, key: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key))
}

function merged(one: Schema, other: Schema): Schema {
  const properties = { ...objectOf(one['properties']), ...objectOf(other['properties']) }
  return { ...one, ...other, properties, required: [...listOf(one['required']), ...listOf(other['required'])] }
}

function objectOf(value: Json | undefined): Schema {
  return isObject(value) ? value : {}
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function make(given: Schema, members: Members, root: Schema, depth: number): Json {
  const schema = resolved(given, root)
  if (schema['const'] !== undefined) return schema['const']
  for (const key of ['enum', 'examples'] as const) {
    const [first] = listOf(schema[key])
    if (first !== undefined) return first
  }
  if (schema['default'] !== undefined) return schema['default']
  const choice = listOf(schema['anyOf'] ?? schema['oneOf']).find(isObject)
  if (choice) return make({ ...without(without(schema, 'anyOf'), 'oneOf'), ...choice }, members, root, depth)
  switch (typeOf(schema)) {
    case 'object':
      return makeObject(schema, members, root, depth)
    case 'array':
      return makeList(schema, members, root, depth)
    case 'integer':
    case 'number':
      return makeNumber(schema)
    case 'boolean':
      return false
    case 'string':
      return makeText(schema)
    default:
      return null
  }
}

function typeOf(schema: Schema): string {
  const [type] = [schema['type']].flat().filter((one) => one !== 'null')
  if (typeof type === 'string') return type
  if (isObject(schema['properties'])) return 'object'
  if (schema['items'] !== undefined) return 'array'
  return schema['type'] === undefined && schema['format'] === undefined ? 'null' : schema['type'] === 'null' ? 'null' : 'string'
}

function makeObject(schema: Schema, members: Members, root: Schema, depth: number): Json {
  const properties = objectOf(schema['properties'])
  const required = listOf(schema['required']).map(String)
  const names = members === 'all' && depth < mostDepth ? [...new Set([...Object.keys(properties), ...required])] : required
  return Object.fromEntries(names.map((name) => [name, make(objectOf(properties[name]), members, root, depth + 1)]))
}

function makeList(schema: Schema, members: Members, root: Schema, depth: number): Json {
  const least = Number(schema['minItems'] ?? 0)
  const most = Number(schema['maxItems'] ?? Number.POSITIVE_INFINITY)
  const wanted = Math.min(members === 'all' && depth < mostDepth ? Math.max(least, 1) : least, most)
  const first = listOf(schema['prefixItems']).filter(isObject)
  return Array.from({ length: wanted }, (_, index) => make(first[index] ?? objectOf(schema['items']), members, root, depth + 1))
}

function makeNumber(schema: Schema): number {
  const least = schema['minimum'] ?? (schema['exclusiveMinimum'] === undefined ? undefined : Number(schema['exclusiveMinimum']) + 1)
  const step = Number(schema['multipleOf'] ?? 1)
  const floor = least === undefined ? 1 : Number(least)
  const value = Math.ceil(floor / step) * step
  const most = schema['maximum'] ?? (schema['exclusiveMaximum'] === undefined ? undefined : Number(schema['exclusiveMaximum']) - 1)
  return most === undefined ? value : Math.min(value, Math.floor(Number(most) / step) * step)
}

function makeText(schema: Schema): string {
  const known = formats[String(schema['format'])] ?? semantics[String(schema['x-semantic'])] ?? 'text'
  const least = Number(schema['minLength'] ?? 0)
  const most = Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY)
  return known.padEnd(least, 'x').slice(0, most)
}

function complete(value: Json, given: Schema, root: Schema): Json {
  const schema = resolved(given, root)
  if (Array.isArray(value)) {
    const items = objectOf(schema['items'])
    return (value as readonly Json[]).map((item) => complete(item, items, root))
  }
  if (!isObject(value)) return value
  const properties = objectOf(schema['properties'])
  if (Object.keys(value).length === 0 && Object.keys(properties).length > 0) return make(schema, 'all', root, 0)
  const whole = Object.entries(value).map(([name, member]): [string, Json] => [name, complete(member, objectOf(properties[name]), root)])
  const left = listOf(schema['required'])
    .map(String)
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): [string, Json] => [name, make(objectOf(properties[name]), 'required', root, 0)])
  return Object.fromEntries([...whole, ...left])
}
