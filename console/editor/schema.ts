/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The deepest chain of references, so that a schema that refers to itself ends. */
const deepest = 12

/**
 * Returns the schemas that apply to a value, with references and alternatives resolved.
 * @param value what is written so far; it decides which branch of an `if` applies
 */
export function applying(schema: unknown, value: unknown, root: Schema, depth = 0): readonly Schema[] {
  if (!isSchema(schema) || depth > deepest) return []
  const into = (inner: unknown): readonly Schema[] => applying(inner, value, root, depth + 1)
  const { $ref: ref, allOf, anyOf, oneOf, if: condition, then: holds, else: fails } = schema
  const found: Schema[] = [schema]
  if (typeof ref === 'string' && ref.startsWith('#/')) found.push(...into(target(ref, root)))
  for (const list of [allOf, anyOf, oneOf]) if (Array.isArray(list)) found.push(...list.flatMap(into))
  if (condition !== undefined) found.push(...into(fits(condition, value) ? holds : fails))
  return found
}

function target(ref: string, root: Schema): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (isSchema(at) ? at[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), root)
}

/** Returns whether a value fits the simple schemas that stand in an `if`: its type, its keys, and constants. */
function fits(condition: unknown, value: unknown): boolean {
  if (!isSchema(condition)) return true
  const { required, properties, const: constant, enum: words, type } = condition
  if (constant !== undefined && value !== constant) return false
  if (Array.isArray(words) && !words.includes(value)) return false
  const own = isSchema(value) ? value : null
  if (type === 'object' && own === null) return false
  if (Array.isArray(required) && !required.every((key) => own !== null && Object.hasOwn(own, String(key)))) return false
  if (!isSchema(properties) || own === null) return true
  return Object.entries(properties).every(([key, inner]) => !Object.hasOwn(own, key) || fits(inner, own[key]))
}

/** Returns the schemas of a member of a value. @param key a number is an item of a list */
export function member(schemas: readonly Schema[], key: string | number, value: unknown, root: Schema): readonly Schema[] {
  return schemas.flatMap(({ properties, items, additionalProperties }) => {
    if (typeof key === 'number') return applying(items, value, root)
    const own = isSchema(properties) ? properties[key] : undefined
    return applying(own ?? additionalProperties, value, root)
  })
}

export interface Offered {
  readonly name: string
  readonly text: string
}

/** The keys that an object may have, each with what it is. */
export function keysOf(schemas: readonly Schema[]): readonly Offered[] {
  const found = new Map<string, string>()
  for (const { properties } of schemas) {
    if (!isSchema(properties)) continue
    for (const [name, inner] of Object.entries(properties)) {
      const text = isSchema(inner) && typeof inner['description'] === 'string' ? inner['description'] : ''
      if (!found.get(name)) found.set(name, text)
    }
  }
  return [...found].map(([name, text]) => ({ name, text }))
}

/** The values that a place may have, as far as the schema lists them. */
export function valuesOf(schemas: readonly Schema[]): readonly Offered[] {
  const found = new Map<string, string>()
  const add = (value: unknown, text: unknown): void => {
    if (['string', 'number', 'boolean'].includes(typeof value) && !found.has(String(value)))
      found.set(String(value), typeof text === 'string' ? text : '')
  }
  for (const { enum: words, const: constant, type, description } of schemas) {
    if (Array.isArray(words)) for (const word of words) add(word, description)
    add(constant, description)
    if (type === 'boolean') for (const word of [true, false]) add(word, description)
  }
  return [...found].map(([name, text]) => ({ name, text }))
}
