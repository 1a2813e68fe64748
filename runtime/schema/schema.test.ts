import Library from 'typebox'
import { expect, test } from 'vitest'
import { Type } from './index.ts'

/** What both build. Written once, so that a schema inside another is made by the same builder. */
const examples: Readonly<Record<keyof typeof Type, (type: typeof Type) => readonly object[]>> = {
  Array: (type) => [type.Array(type.String()), type.Array(type.Object({ a: type.Integer() }), { minItems: 1, description: 'Some.' })],
  Boolean: (type) => [type.Boolean(), type.Boolean({ default: true })],
  Integer: (type) => [type.Integer(), type.Integer({ minimum: 1, maximum: 200 })],
  Literal: (type) => [type.Literal('a'), type.Literal(7), type.Literal(true, { description: 'Only yes.' })],
  Null: (type) => [type.Null(), type.Null({ description: 'None.' })],
  Number: (type) => [type.Number(), type.Number({ exclusiveMinimum: 0 })],
  Object: (type) => [
    type.Object({}),
    type.Object({ b: type.String(), a: type.Optional(type.String()), c: type.Ref('C#') }, { additionalProperties: false, $id: 'B' }),
    type.Object({ a: type.Optional(type.String()) }, { minProperties: 1 }),
    type.Object({ a: type.Object({ b: type.Optional(type.Null()), c: type.Boolean() }) }, { required: ['a', 'b'] }),
    type.Object({ a: { ...type.Optional(type.String()), description: 'A copy is not optional.' } }),
  ],
  Optional: (type) => {
    const schema = type.String({ minLength: 1 })
    const both = type.Object({ first: schema, second: type.Optional(schema), third: type.Optional(type.Optional(schema)) })
    return [type.Optional(schema), both, type.Optional(type.Unsafe({ enum: ['a'] })), type.Optional(both)]
  },
  Record: (type) => [
    type.Record(type.String(), type.Integer()),
    type.Record(type.String({ minLength: 1 }), type.Optional(type.Boolean())),
    type.Record(type.String({ pattern: '^[a-z]+$' }), type.Unknown(), { additionalProperties: false }),
  ],
  Ref: (type) => [type.Ref('Case#'), type.Ref('Case#', { description: 'A case.' })],
  String: (type) => [type.String(), type.String({ format: 'uuid' }), type.String({ pattern: '^a', 'x-fault': 'must be a name' })],
  Union: (type) => [type.Union([type.Null(), type.Ref('A#')]), type.Union([type.Object({ a: type.String() })], { description: 'One.' })],
  Unknown: (type) => [type.Unknown(), type.Unknown({ description: 'Anything.' })],
  Unsafe: (type) => [type.Unsafe({}), type.Unsafe({ type: ['string', 'null'], not: type.Literal('x') })],
}

test.each(Object.entries(examples))('%s builds what the library builds, in the same order', (_, build) => {
  const [ours, theirs] = [build(Type), build(Library)]
  expect(ours.map((schema) => JSON.stringify(schema))).toEqual(theirs.map((schema) => JSON.stringify(schema)))
  expect(ours).toEqual(theirs)
})

test('a schema is not changed by what is made from it', () => {
  const name = Type.String()
  Type.Object({ name: Type.Optional(name) })
  expect(Type.Object({ name })).toEqual({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } })
})
