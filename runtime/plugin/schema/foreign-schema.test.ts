import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { compileFirstFault, compileForeignSchema, compileSchema } from './schema.ts'

type Schema = { readonly [key: string]: Json }

const list = (count: number, item: (at: number) => Json): Json[] => Array.from({ length: count }, (_, at) => item(at))
const named = (count: number, value: (at: number) => Json): Schema =>
  Object.fromEntries(list(count, (at) => at).map((at) => [`k${String(at)}`, value(at as number)]))

/** Returns the fault in a value or in the schema, as `script_output_invalid` reports it. */
function wrong(schema: Schema, value: Json): string | null {
  try {
    return compileForeignSchema(schema)(value)?.message ?? null
  } catch (error) {
    return `schema: ${(error as Error).message}`
  }
}

test.each<readonly [name: string, schema: Schema, fits: Json, not: Json, why: string]>([
  ['a pattern', { type: 'string', pattern: '^a+$' }, 'aa', 'ab', 'the value must match pattern "^a+$"'],
  ['patterns of names', { patternProperties: { '^n_': { type: 'integer' } } }, { n_a: 1, b: 'x' }, { n_a: 'x' }, 'n_a must be integer'],
  ['a format', { format: 'email' }, 'ada@example.com', 'ada', 'the value must be an e-mail address, such as ada@partner.example'],
  [
    'different items',
    { uniqueItems: true },
    [1, '1', [1], { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }],
    'the value has the same item twice, at 0 and 2',
  ],
  [
    'a least number of members',
    { properties: { id: {}, name: {}, note: {} }, minProperties: 2 },
    { id: 1, note: 1 },
    { id: 1 },
    'the value needs at least 2 of id, name, note',
  ],
  ['one further in', { items: { minProperties: 1 } }, [{ a: 1 }], [{}], '0 needs at least 1 member'],
  ['a text that is not empty', { properties: { a: { minLength: 1 } } }, { a: 'x' }, { a: '' }, 'a must not be empty'],
  ['a longest text', { maxLength: 2 }, 'ab', 'abc', 'the value may have 2 characters at most'],
  ['a longest list', { maxItems: 1 }, [1], [1, 2], 'the value may have 1 item at most'],
  ['no list', { maxItems: 0 }, [], [1], 'the value must be empty'],
  ['a definition', { $defs: { 'a/b~c': { type: 'string' } }, items: { $ref: '#/$defs/a~1b~0c' } }, ['x'], [1], '0 must be string'],
  [
    'a tree',
    { properties: { kids: { items: { $ref: '#' } } }, required: ['kids'] },
    { kids: [{ kids: [] }] },
    { kids: [{}] },
    'kids.0.kids is missing',
  ],
])('%s', (_name, schema, fits, not, why) => {
  expect([wrong(schema, fits), wrong(schema, not)]).toEqual([null, why])
})

const tooMuch = 'the value takes too much work to check'

test.each<readonly [name: string, schema: Schema, value: Json]>([
  ['a pattern that tries many ways', { items: { pattern: '^(a+)+$' } }, list(200, () => 'a'.repeat(5_000))],
  ['many patterns of names', { items: { patternProperties: named(90, () => true) } }, list(1_000, () => named(200, () => 'x'))],
  ['large items that are to be different', { uniqueItems: true }, list(200, (at) => [at, ...list(1_000, () => 'item')])],
  ['a choice of many for many', { items: { anyOf: list(95, (at) => ({ const: at })) } }, list(20_000, () => 94)],
  ['a long list of what is allowed', { items: { enum: list(5_000, (at) => `x${String(at)}`) } }, list(2_000, () => 'x4999')],
  [
    'definitions that double',
    { $defs: named(40, (at) => (at === 39 ? {} : { allOf: list(2, () => ({ $ref: `#/$defs/k${Number(at) + 1}` })) })), $ref: '#/$defs/k0' },
    1,
  ],
  ['names that none has looked at', { items: { unevaluatedProperties: { type: 'string' } } }, list(1_000, () => named(200, () => 'x'))],
])('%s is given up', (_name, schema, value) => {
  expect(wrong(schema, value)).toBe(tooMuch)
})

test.each<readonly [name: string, schema: Schema, why: string]>([
  ['too many parts', { properties: named(200, () => ({ type: 'string' })) }, 'it contains more than 200 schemas'],
  ['too many levels', list(60, () => 0).reduce<Schema>((inner) => ({ items: inner }), {}), 'it nests schemas more than 50 deep'],
  [
    'a part that no keyword holds',
    { examples: [{ type: 'string' }], $ref: '#/examples/0' },
    `$ref "#/examples/0" does not refer to a part of the schema, such as '#/$defs/<name>'`,
  ],
  [
    'another document',
    { $ref: 'https://example.com/s.json' },
    `$ref "https://example.com/s.json" does not refer to a part of the schema, such as '#/$defs/<name>'`,
  ],
  ['an anchor', { $defs: { a: { $anchor: 'a' } }, $ref: '#a' }, `$anchor is not supported; use $ref: '#/$defs/…' to refer to a part of the schema`],
  ['x-work of its own', { 'x-work': { part: -1_000_000_000, character: 0, name: 0 } }, 'x-work is reserved for Tocsin'],
])('a schema with %s is refused', (_name, schema, why) => {
  expect(wrong(schema, 1)).toBe(`schema: ${why}`)
})

test('definitions that refer to each other in a circle are reported', () => {
  expect(wrong({ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 1)).toBe('the schema refers to itself endlessly')
})

test('two schemas may have the same name', () => {
  for (const type of ['string', 'integer']) expect(wrong({ $id: 'https://example.com/s', type }, true)).toBe(`the value must be ${type}`)
})

test('the schema of a plugin allows the longest listing', () => {
  const schema: Schema = { items: { properties: { id: { pattern: '^[a-zA-Z0-9]{15,18}$' }, mail: { format: 'email' } } }, uniqueItems: true }
  const accounts = list(50_000, (at) => ({ id: `001${String(at).padStart(15, '0')}`, mail: `user.${String(at)}@mail.example.com` }))
  expect([compileFirstFault(schema)(accounts), compileSchema(schema).faults(accounts)]).toEqual([null, []])
})

test('for a long value only the first fault is reported', () => {
  expect(compileSchema({ items: { type: 'integer' } }).faults(list(50_000, () => 'xx'))).toEqual(['0 must be integer'])
})
