/**
 * Builds JSON Schemas, derives the types of their values, and says what is wrong with the size of one. The types are those of `typebox`, and
 * the schemas are what it would build from the same calls. Its own code is not loaded, because a start would spend a tenth of its time on that (decision 117).
 */
import type Library from 'typebox'

export type { Static, TProperties, TSchema, TUnsafe } from 'typebox'
export { sizeFault } from './size-fault.ts'

type Keywords = Readonly<Record<string, unknown>>

/** Schemas of properties that an object need not have. */
const optional = new WeakSet<object>()

const builder = {
  Array: (items: Keywords, options?: Keywords) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Keywords) => ({ type: 'boolean', ...options }),
  Integer: (options?: Keywords) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: Keywords) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: Keywords) => ({ type: 'null', ...options }),
  Number: (options?: Keywords) => ({ type: 'number', ...options }),
  Object(properties: Readonly<Record<string, Keywords>>, options?: Keywords) {
    const required = Object.entries(properties).flatMap(([name, schema]) => (optional.has(schema) ? [] : [name]))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional(schema: Keywords) {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  /** @param key a string. Its pattern, if it has one, is that of the names */
  Record: ({ pattern }: { readonly pattern?: string }, value: Keywords, options?: Keywords) => ({
    type: 'object',
    patternProperties: { [pattern ?? '^.*$']: value },
    ...options,
  }),
  Ref: (ref: string, options?: Keywords) => ({ $ref: ref, ...options }),
  String: (options?: Keywords) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Keywords[], options?: Keywords) => ({ anyOf, ...options }),
  Unknown: (options?: Keywords) => ({ ...options }),
  Unsafe: (schema: Keywords) => ({ ...schema }),
}

export const Type = builder as unknown as Pick<typeof Library, keyof typeof builder>
