import { describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { contractOf } from './contract.ts'
import { compileOutput, mostWarnings } from './output.ts'

const accounts = {
  type: 'object',
  required: ['accounts', 'truncated'],
  properties: {
    accounts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          status: { enum: ['active', 'suspended', null] },
          vip: { type: ['boolean', 'null'] },
          mailbox: {
            type: ['object', 'null'],
            required: ['address'],
            properties: {
              address: { type: 'string' },
              forwarding: { type: ['array', 'null'], items: { type: 'object', properties: { to: { type: 'string' } } } },
            },
          },
        },
      },
    },
    total: { type: ['integer', 'null'] },
    truncated: { type: 'boolean' },
  },
} as const

const schema = compileOutput(accounts)
const listed = (...items: readonly Json[]): Json => ({ accounts: items, truncated: false })

describe('undocumented values are passed on unchanged, and the field is named', () => {
  test.each<[string, Json, readonly string[]]>([
    [
      'a list of texts where objects were expected',
      listed({ id: 'a', mailbox: { address: 'x', forwarding: ['out@else.example'] } }),
      ['accounts.*.mailbox.forwarding.* must be object, and is a text'],
    ],
    ['a text where an object was expected', listed({ id: 'a', mailbox: 'x' }), ['accounts.*.mailbox must be object or null, and is a text']],
    [
      'a list where a text was expected, in what is not required',
      listed({ id: 'a', vip: [true] }),
      ['accounts.*.vip must be boolean or null, and is a list'],
    ],
    ['a count as a text', { accounts: [], total: '12', truncated: false }, ['total must be integer or null, and is a text']],
    ['a number as a fraction', { accounts: [], total: 1.5, truncated: false }, ['total must be integer or null, and is a number']],
    ['a value that is none of those known', listed({ id: 'a', status: 'locked' }), ['accounts.*.status must be one of "active", "suspended", null']],
    ['a member that something optional requires', listed({ id: 'a', mailbox: {} }), ['accounts.*.mailbox.address is missing']],
  ])('%s', (_, given, odd) => {
    expect(schema.judge(given)).toEqual({ output: given, broken: null, odd })
  })

  test('all items of a list share one warning', () => {
    const items = Array.from({ length: 3_000 }, (_, index) => ({ id: String(index), vip: 'yes' }))
    expect(schema.judge(listed(...items)).odd).toEqual(['accounts.*.vip must be boolean or null, and is a text'])
  })

  test('a fault in an item far behind is found too', () => {
    const items = Array.from({ length: 3_000 }, (_, index) => ({ id: String(index), ...(index === 2_999 && { vip: 'yes' }) }))
    expect(schema.judge(listed(...items)).odd).toEqual(['accounts.*.vip must be boolean or null, and is a text'])
  })

  test('there are no more warnings than somebody would read', () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field_${index}`, { type: 'string' }]))
    const wide = compileOutput({ type: 'object', properties })
    const { odd } = wide.judge(Object.fromEntries(Object.keys(properties).map((name) => [name, 1])))
    expect(odd).toHaveLength(mostWarnings + 1)
    expect(odd.at(-1)).toBe('and 80 more fields')
  })

  test('of a map with very many wrong values, some are reported', () => {
    const map = compileOutput({ type: 'object', properties: { scores: { type: 'object', additionalProperties: { type: 'number' } } } })
    const scores = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 'x']))
    expect(map.judge({ scores }).odd.length).toBeLessThanOrEqual(mostWarnings + 1)
  })
})

describe('what a skill requires is a contract', () => {
  test.each<[string, Json, string]>([
    ['an id that is missing', listed({ id: 'a' }, { vip: true }), 'accounts.1.id is missing'],
    ['an id of another kind', listed({ id: true }), 'accounts.0.id must be string, and is a boolean'],
    ['a list that is an object', { accounts: { a: {} }, truncated: false }, 'accounts must be array, and is an object'],
    ['a list that is null', { accounts: null, truncated: false }, 'accounts must be array, and is null'],
    ['no list', { truncated: false }, 'accounts is missing'],
    ['an item that is no object', listed('a'), 'accounts.0 must be object, and is a text'],
    ['no object at all', 'OK', 'the value must be object, and is a text'],
    ['an answer without a body', '', 'the value must be object, and is an empty text'],
  ])('%s', (_, given, broken) => {
    expect(schema.judge(given)).toMatchObject({ output: given, broken })
  })

  test('the contract requires the type of a value, not one of the known values', () => {
    const state = compileOutput({ type: 'object', required: ['state'], properties: { state: { type: 'string', enum: ['on', 'off'], maxLength: 3 } } })
    expect(state.judge({ state: 'unheard of' }).broken).toBeNull()
    expect(state.judge({ state: 1 }).broken).toBe('state must be string, and is a number')
  })

  test('choices and references are followed; conditions and values are left out', () => {
    const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^x' }, more: { type: 'integer' } } }
    const choice = compileOutput({
      type: 'object',
      required: ['thing', 'other'],
      $defs: { thing },
      properties: { thing: { $ref: '#/$defs/thing' }, other: { oneOf: [thing, { type: 'null' }] } },
      if: { properties: { thing: true } },
      then: { required: ['never'] },
    })
    expect(choice.judge({ thing: { id: 'y', more: 'x' }, other: null }).broken).toBeNull()
    expect(choice.judge({ thing: { id: 1 }, other: null }).broken).toBe('thing.id must be string, and is a number')
    expect(choice.judge({ thing: { id: 'x' }, other: {} }).broken).not.toBeNull()
  })

  test('a reference to something outside the contract has no effect', () => {
    const odd = compileOutput({
      type: 'object',
      required: ['a'],
      properties: { b: { type: 'string' }, a: { $ref: '#/properties/b' } },
    })
    expect(odd.judge({ a: 1 }).broken).toBeNull()
  })

  test('what `allOf` requires applies to the properties beside it', () => {
    expect(contractOf({ type: 'object', required: ['id'], allOf: [{ properties: { id: { type: 'string' }, b: { type: 'string' } } }] })).toEqual({
      type: 'object',
      required: ['id'],
      allOf: [{ properties: { id: { type: 'string' } } }],
    })
  })
})

test('a value that fits costs nothing more and has no warnings', () => {
  const given = listed({ id: 'a', vip: null })
  expect(schema.judge(given)).toEqual({ output: given, broken: null, odd: [] })
})

test("only the contract's part of a too large output is kept", () => {
  expect(schema.contractual(listed({ id: 'a', vip: true, mailbox: {} }, { id: 'b' }))).toEqual({
    accounts: [{ id: 'a' }, { id: 'b' }],
    truncated: false,
  })
})
