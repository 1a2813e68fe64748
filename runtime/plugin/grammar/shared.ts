import Type, { type TProperties, type TSchema, type TUnsafe } from 'typebox'
import type { Json } from '../../domain/index.ts'
import { durationSchema, sizePattern } from '../../yaml/index.ts'

/** An object that has these keys and no others, so that a misspelt key is an error. */
export function closed<T extends TProperties>(properties: T, description?: string) {
  return Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) })
}

/** Values of a closed list of words. */
export function words<const T extends readonly string[]>(values: T, description?: string): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...(description !== undefined && { description }) })
}

/**
 * Objects told apart by the value of one key. Written as `if`/`then` and not as `oneOf`, so that a fault is reported for the form that
 * was meant and not for all of them.
 */
export function formsBy<Forms extends Record<string, TSchema>>(key: string, forms: Forms): TUnsafe<Type.Static<Forms[keyof Forms]>> {
  return Type.Unsafe<Type.Static<Forms[keyof Forms]>>({
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
/** May hold `{{ … }}`. */
export const template = Type.String()
/** Any value; its strings may hold `{{ … }}`. */
export const templated = Type.Unsafe<Json>({})
/** A json-logic rule; no templates inside. */
export const condition = Type.Unsafe<Json>({})
/** A duration of 3650d at most. */
export const duration = Type.String(durationSchema())
/** A duration of so much at most. */
export function durationUpTo(longest: string) {
  return Type.String(durationSchema(longest))
}
export const size = Type.String({ pattern: sizePattern, 'x-fault': 'must be a size, such as 64KiB, 5MiB, 1GiB' })
/** Names of integrations, skills, fields, roles, codes. */
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
export const expect = closed({ status: Type.Union([status, Type.Array(status, { minItems: 1 })]) }, 'Which statuses are success; any 2xx if absent.')
export const method = words(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
export const headers = Type.Record(Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }), template, { additionalProperties: false })
/** A value that is absent is left out; a list is sent once for each item. */
export const query = Type.Record(text, templated)
/** Below what a path stands; `none`: below the origin itself. */
export const base = words(['none'], 'none: the path is below the origin, without `request.base_path`.')

/** What an answer that is no success means. */
export const errorRow = closed({
  when: condition,
  code: name,
  cause: text,
  remedy: text,
  effect: words(['none', 'unknown'], 'none: the call changed nothing; unknown: it may have.'),
  lacks: Type.Optional(words(['role'], 'role: the credentials may not do this. The failure then says what role the skill needs.')),
})
