import { describe, expect, it } from 'vitest'
import type { Json } from '../../../domain/index.ts'
import { typeOfSchema } from '../index.ts'
import { short } from '../testing.ts'

const of = (schema: Json): string => short(typeOfSchema(schema))
/** The type of a member of an object with this schema. */
const member = (schema: { readonly [key: string]: Json }, name: string): string => {
  const { object } = typeOfSchema({ type: 'object', ...schema })
  return short(object?.fields.get(name) ?? object?.rest ?? typeOfSchema(false))
}

describe('a schema', () => {
  it.each<[Json, string]>([
    [{}, 'anything'],
    [true, 'anything'],
    [false, 'nothing'],
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'email' }, 'text (email)'],
    [{ type: 'string', format: 'email', 'x-semantic': 'user_name' }, 'text (user_name)'],
    [{ type: 'integer' }, 'integer'],
    [{ type: ['integer', 'number'] }, 'number'],
    [{ type: 'integer', format: 'int64-string' }, 'text (int64-string)'],
    [{ type: ['integer', 'null'], format: 'integer-string' }, 'text (integer-string) or null'],
    [{ type: ['string', 'number', 'null'] }, 'number or text or null'],
    [{ type: 'string', nullable: true }, 'text or null'],
    [{ enum: ['a', 'b', null] }, '"a" or "b" or null'],
    [{ type: 'string', enum: ['a', 1] }, '"a"'],
    [{ const: 5 }, '5'],
    [{ const: { a: 1 } }, 'object (a)'],
    [{ type: 'array' }, 'list'],
    [{ type: 'array', items: { type: 'string' } }, 'list of text'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'list of (text or null)'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }, 'list of (integer or text)'],
    [{ type: 'object', properties: { a: {}, b: {} } }, 'object (a, b)'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text or null'],
    [{ type: 'string', anyOf: [{ enum: ['a'] }, { enum: ['b'] }] }, '"a" or "b"'],
    [{ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'text or list of text'],
    [{ allOf: [{ type: ['string', 'integer'] }, { type: ['string', 'null'] }] }, 'text'],
    [{ $ref: '#/$defs/id', $defs: { id: { type: 'string', format: 'uuid' } } }, 'text (uuid)'],
    [{ $ref: '#/$defs/nobody' }, 'anything'],
  ])('%j is %s', (schema, type) => {
    expect(of(schema)).toBe(type)
  })

  it('may refer to itself', () => {
    const tree = typeOfSchema({
      $ref: '#/$defs/tree',
      $defs: { tree: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } } } },
    })
    expect(short(tree)).toBe('object (name, children)')
    expect(short(tree.object?.fields.get('children') ?? tree)).toBe('list~')
  })

  it('is read once', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    expect(typeOfSchema(schema)).toBe(typeOfSchema(schema))
  })
})

describe('a property', () => {
  const properties: Json = { a: { type: 'string' }, b: { type: 'string' } }
  it('may be missing if it is not required and others are', () => {
    expect(member({ properties, required: ['a'] }, 'a')).toBe('text')
    expect(member({ properties, required: ['a'] }, 'b')).toBe('text?')
  })

  it('says nothing about absence if no property is required', () => {
    expect(member({ properties }, 'a')).toBe('text~')
  })

  it('may be required without a schema of its own', () => {
    expect(member({ required: ['c'] }, 'c')).toBe('anything')
  })

  it('may be required by another part of an allOf', () => {
    expect(member({ properties, allOf: [{ type: 'object', required: ['b'] }] }, 'b')).toBe('text')
  })

  it.each<[{ readonly [key: string]: Json }, string]>([
    [{ properties, additionalProperties: false }, 'nothing?'],
    [{ properties, unevaluatedProperties: false }, 'nothing?'],
    [{ properties }, 'anything~'],
    [{ additionalProperties: { type: 'integer' } }, 'integer~'],
    [{ properties, additionalProperties: false, patternProperties: { '^x': {} } }, 'anything~'],
  ])('that %j does not name', (schema, type) => {
    expect(member(schema, 'other')).toBe(type)
  })
})
