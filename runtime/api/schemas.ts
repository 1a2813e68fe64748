import { type Static, type TSchema, Type } from '../schema/index.ts'

/** Integer epoch milliseconds, like every time in the API. */
export const Time = Type.Integer({ description: 'Epoch milliseconds.' })
export const Uuid = Type.String({ format: 'uuid' })

interface Scalar {
  readonly type: string
}

/**
 * Makes the schema of a scalar or null. It is one schema with two types, because the compiled serialiser of a choice between schemas
 * would validate each value.
 */
export function nullable<S extends TSchema & Scalar>(schema: S) {
  const { type, ...rest } = schema
  return Type.Unsafe<Static<S> | null>({ ...rest, type: [type, 'null'] })
}

/** Makes the schema of a string enum. */
export function oneOf<const W extends readonly string[]>(words: W, description?: string) {
  const options = { type: 'string', enum: [...words] }
  return Type.Unsafe<W[number]>(description === undefined ? options : { ...options, description })
}

/** Makes the schema of one page of a listing. */
export function pageOf(item: string) {
  return Type.Object({
    items: Type.Array(Type.Ref(`${item}#`)),
    next_cursor: nullable(Type.String({ description: 'Send it as cursor to get the next page; null on the last.' })),
  })
}

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'urn:tocsin:error:<code>' }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'The code of the error reference.' }),
    detail: Type.String(),
    remedy: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'Dotted path of the field; empty for the whole body.' }),
          message: Type.String(),
          code: Type.Optional(Type.String({ description: 'The kind of mistake, if the documentation has a page for it (docs/reference/lint).' })),
          file: Type.Optional(Type.String({ description: 'The file, or the text in the body, that has the mistake.' })),
          line: Type.Optional(Type.Integer({ description: 'From 1.' })),
          column: Type.Optional(Type.Integer({ description: 'From 1.' })),
        }),
      ),
    ),
    request_id: Type.String(),
  },
  { $id: 'Problem', description: 'An error (RFC 9457).' },
)
