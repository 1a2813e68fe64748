import { describe, expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { compileCondition } from '../index.ts'

/** Returns whether an operator returns the expected value for these arguments. */
function makes(operator: string, values: Json[], expected: Json): boolean {
  const context = Object.fromEntries(values.map((value, index) => [`v${index}`, value]))
  return compileCondition({ '==': [{ [operator]: values.map((_, index) => ({ var: `v${index}` })) }, { var: 'r' }] }).test({
    ...context,
    r: expected,
    run: { now: 1_000_000 },
  })
}

function fails(operator: string, values: Json[]): void {
  expect(() => makes(operator, values, true), `${operator} ${JSON.stringify(values)}`).toThrow(expect.objectContaining({ code: 'condition_failed' }))
}

describe('text', () => {
  it.each<[string, Json[], Json]>([
    ['lower', ['ÄB'], 'äb'],
    ['upper', ['äb'], 'ÄB'],
    ['trim', [' a\n'], 'a'],
    ['cat', ['a', 1, true], 'a1true'],
    ['substr', ['abcdef', 2], 'cdef'],
    ['substr', ['abcdef', -3, 2], 'de'],
    ['substr', ['abcdef', 1, -2], 'bcd'],
    ['starts_with', ['abc', 'ab'], true],
    ['starts_with', ['abc', 'bc'], false],
    ['ends_with', ['abc', 'bc'], true],
    ['ends_with', ['abc', 'ab'], false],
    ['matches', ['user=ada', '=a.a$'], true],
    ['matches', ['user=ada', '^ada'], false],
    ['in', ['b', 'abc'], true],
  ])('%s of %j is %j', (operator, values, expected) => {
    expect(makes(operator, values, expected)).toBe(true)
  })

  it('refuses values that are not texts', () => {
    for (const operator of ['lower', 'upper', 'trim']) fails(operator, [1])
    for (const operator of ['starts_with', 'ends_with', 'matches']) fails(operator, ['a', 1])
    fails('cat', ['a', null])
    fails('in', [1, 'abc'])
    fails('matches', ['a', '('])
  })
})

describe('lists', () => {
  it.each<[string, Json[], Json]>([
    ['length', [[1, 2]], 2],
    ['length', ['abc'], 3],
    ['length', [{ a: 1 }], 1],
    ['keys', [{ a: 1, b: 2 }], ['a', 'b']],
    ['unique', [[1, '1', 1, { a: 1, b: 2 }, { b: 2, a: 1 }]], [1, '1', { a: 1, b: 2 }]],
    ['in', [{ a: 1 }, [{ a: 1 }]], true],
    ['in', ['x', ['y']], false],
    ['merge', [[1], 2, [3, [4]]], [1, 2, 3, [4]]],
  ])('%s of %j is %j', (operator, values, expected) => {
    expect(makes(operator, values, expected)).toBe(true)
  })

  it('refuses values without length, keys or items', () => {
    fails('length', [5])
    fails('keys', [[1]])
    fails('unique', ['aab'])
    fails('in', ['a', { a: 1 }])
  })
})

describe('numbers', () => {
  it.each<[string, Json[], Json]>([
    ['+', [1, 2, 3], 6],
    ['-', [5, 2], 3],
    ['-', [5], -5],
    ['*', [2, 3], 6],
    ['/', [6, 4], 1.5],
    ['%', [7, 4], 3],
    ['min', [3, 1, 2], 1],
    ['max', [3, 1, 2], 3],
  ])('%s of %j is %j', (operator, values, expected) => {
    expect(makes(operator, values, expected)).toBe(true)
  })

  it('does not turn texts into numbers, and gives no infinity', () => {
    for (const operator of ['+', '-', '*', '/', '%', 'min', 'max']) fails(operator, [1, '2'])
    fails('/', [1, 0])
    fails('%', [1, 0])
  })

  // Integers beyond 2^53 are read as texts.
  it.each<[string, Json[], boolean]>([
    ['==', ['12345678901234567890', '12345678901234567890'], true],
    ['==', ['12345678901234567890', '12345678901234567891'], false],
    ['==', [5, '12345678901234567890'], false],
    ['!=', ['-12345678901234567890', 5], true],
    ['==', [1e20, '100000000000000000000'], true],
    ['in', [5, ['12345678901234567890', 5]], true],
    ['<', [5, '12345678901234567890'], true],
    ['<', ['-12345678901234567890', 5], true],
    ['<', [-1.5, '-12345678901234567890'], false],
    ['>', ['9234567890123456789', '12345678901234567890'], false],
    ['>', ['-9234567890123456789', '-12345678901234567890'], true],
    ['<=', ['12345678901234567890', '12345678901234567890'], true],
    ['<', [1, '12345678901234567890', '12345678901234567891'], true],
    ['<', ['12345678901234567890', 1e20], true],
  ])('%s of %j, which no number can keep, is %s', (operator, values, expected) => {
    expect(makes(operator, values, expected)).toBe(true)
  })

  it('compares no other texts with numbers', () => {
    for (const operator of ['==', '!=', '<', '>=']) {
      for (const text of ['5', '1234567890123456', '12345678901234567890.5', 'id-12345678901234567890', '']) fails(operator, [5, text])
    }
  })
})

describe('addresses', () => {
  it.each<[Json, Json, boolean]>([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    [['192.0.2.0/24', '2001:db8::/32'], '2001:DB8::1', true],
    ['2001:db8::/32', '10.1.2.3', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['203.0.113.9/32', '203.0.113.9', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '11.1.2.3', false],
    ['::ffff:0:0/96', '::ffff:8.8.8.8', true],
    ['::ffff:10.0.0.9/128', '10.0.0.9', true],
  ])('cidr_contains %j %s is %s', (networks, address, expected) => {
    expect(makes('cidr_contains', [networks, address], expected)).toBe(true)
  })

  it.each<[string, boolean]>([
    ['10.0.0.1', true],
    ['172.16.0.1', true],
    ['192.168.1.1', true],
    ['127.0.0.1', true],
    ['169.254.169.254', true],
    ['100.64.0.1', true],
    ['::1', true],
    ['fd00::1', true],
    ['fe80::1', true],
    ['::ffff:192.168.0.1', true],
    ['8.8.8.8', false],
    ['172.32.0.1', false],
    ['2606:4700::1111', false],
  ])('is_private_ip %s is %s', (address, expected) => {
    expect(makes('is_private_ip', [address], expected)).toBe(true)
  })

  it('refuses what programs read as different addresses', () => {
    for (const address of ['010.0.0.1', '10.1', '0x0a000001', '167772161', 'localhost', '', '10.0.0.1/8']) fails('is_private_ip', [address])
    for (const network of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', 'x/8', '10.0.0.0/', '::ffff:10.0.0.0/95', '::ffff:10.0.0.0/129'])
      fails('cidr_contains', [network, '10.0.0.1'])
  })

  it.each<[string, string]>([
    ['Ada@Example.COM', 'example.com'],
    ['Ada <ada@example.com>', 'example.com'],
    ['"a@b" <c@d.example>', 'd.example'],
    ['https://User:pw@Example.com:8443/p@th?x=@y', 'example.com'],
    ['http://[2001:db8::1]:80/', '[2001:db8::1]'],
    ['mail.example.com.', 'mail.example.com'],
    ['mail.example.com:8443', 'mail.example.com'],
    ['2001:db8::1', '2001:db8::1'],
    ['https://evil.example\\@good.example/', 'evil.example'],
    ['https:\\\\evil.example\\@good.example', 'evil.example'],
    ['https://user:p@ss@evil.example:8443/x?y@z', 'evil.example'],
    ['https://evil.example#@good.example', 'evil.example'],
    ['https://evil.example:/', 'evil.example'],
  ])('domain_of %s is %s', (text, expected) => {
    expect(makes('domain_of', [text], expected)).toBe(true)
  })

  it('refuses a text that has no domain', () => {
    for (const text of ['', 'two words', 'ada@', 'https:///path', 'javascript:alert(1)', 'https:evil.example', 'a\\b', 'ada@x\\y'])
      fails('domain_of', [text])
  })
})

describe('time', () => {
  it.each<[string, Json, Json, boolean]>([
    ['before', 1, 2, true],
    ['before', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00+01:00', false],
    ['before', '2023-11-14', 1_700_000_000_001, true],
    ['after', '2023-11-14T22:13:20Z', 1_700_000_000_000, false],
    ['after', '2023-11-14T22:13:20', 1_699_999_999_999, true],
  ])('%s %j %j is %s', (operator, a, b, expected) => {
    expect(makes(operator, [a, b], expected)).toBe(true)
  })

  it("age is the time from a moment to the run's now, also inside loops", () => {
    expect(makes('age', [400_000], 600_000)).toBe(true)
    expect(makes('age', ['1970-01-01T00:16:39Z'], 1_000)).toBe(true)
    expect(compileCondition({ all: [{ var: 'l' }, { '<': [{ age: { var: 't' } }, 10] }] }).test({ run: { now: 100 }, l: [{ t: 95 }] })).toBe(true)
  })

  it('refuses values that are not times', () => {
    for (const value of ['yesterday', 'now', '14.11.2023', null, true]) fails('age', [value])
    fails('before', [1, 'soon'])
  })
})
