import type { Json } from '../../domain/index.ts'
import { durationSchema, sizePattern } from '../../formats/index.ts'
import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from '../../schema/index.ts'

/** Returns the schema of an object with these keys and no others, so that a misspelled key is an error. */
export function closed<T extends TProperties>(properties: T, description?: string) {
  return Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) })
}

/** Returns the schema of one of a fixed list of words. */
export function words<const T extends readonly string[]>(values: T, description?: string): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...(description !== undefined && { description }) })
}

/**
 * Objects that differ by the value of one key. Written as `if`/`then`, not as `oneOf`, so that
 * faults are reported for the intended form only.
 */
export function formsBy<Forms extends Record<string, TSchema>>(key: string, forms: Forms): TUnsafe<Static<Forms[keyof Forms]>> {
  return Type.Unsafe<Static<Forms[keyof Forms]>>({
    type: 'object',
    required: [key],
    properties: { [key]: { type: 'string', enum: Object.keys(forms) } },
    allOf: Object.entries(forms).map(([name, form]) => ({
      if: { type: 'object', required: [key], properties: { [key]: { const: name } } },
      then: form,
    })),
  })
}

export const text = Type.String({ minLength: 1 })
/** A string that may contain `{{ … }}`. */
export const template = Type.String()
/** Any value. Its strings may contain `{{ … }}`. */
export const templated = Type.Unsafe<Json>({})
/** A JSON Logic rule, without templates. */
export const condition = Type.Unsafe<Json>({})
/** A duration of 3650d at most. */
export const duration = Type.String(durationSchema())
/** Returns the schema of a duration with a given maximum. */
export function durationUpTo(longest: string) {
  return Type.String(durationSchema(longest))
}
export const size = Type.String({ pattern: sizePattern, 'x-fault': 'must be a size, such as 64KiB, 5MiB, 1GiB' })
/** The name of an integration, skill, field, role or error code. */
export const name = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  'x-fault': 'must be lower-case letters, digits and `_`, beginning with a letter, at most 64',
})
/** `<integration>.<skill>` */
export const skillName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}\\.[a-z][a-z0-9_]{0,63}$',
  'x-fault': 'must be `<integration>.<skill>`',
})
export const path = Type.String({ pattern: '^/', 'x-fault': 'must begin with `/`' })
const status = Type.Integer({ minimum: 100, maximum: 599 })
export const expect = closed(
  { status: Type.Union([status, Type.Array(status, { minItems: 1 })]) },
  'The statuses that count as success. Default: any 2xx.',
)
export const method = words(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
export const headers = Type.Record(Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }), template, { additionalProperties: false })
/** Query parameters. Absent values are left out. A list is sent once for each item. */
export const query = Type.Record(text, templated)
/** What a path is relative to. */
export const base = words(['none'], 'none: the path is below the origin, without `request.base_path`.')

/** What an unsuccessful answer means. */
export const errorRow = closed({
  when: condition,
  code: name,
  cause: text,
  remedy: text,
  effect: words(['none', 'unknown'], 'none: the call changed nothing; unknown: it may have.'),
  lacks: Type.Optional(words(['role'], 'role: the credentials lack a permission. The failure then says which role the skill needs.')),
})
