import { expect, test } from 'vitest'
import { isTocsinError, type TocsinError } from '../../errors/index.ts'
import { parseBody } from './body.ts'

function refusal(bytes: Buffer): TocsinError {
  try {
    parseBody(bytes)
  } catch (error) {
    if (isTocsinError(error)) return error
    throw error
  }
  throw new Error('the body was accepted')
}

test.each([
  ['{"a":nope}', 1, 6],
  ['{"a":1', 1, 7],
  ['{\n "a": 1,\n}', 3, 1],
  ['{"a":1}}', 1, 8],
  ['{"a":01}', 1, 7],
  ["{'a':1}", 1, 2],
  ['{"a":"tab\tin"}', 1, 10],
  ['NaN', 1, 1],
])('what is not JSON names line and column: %j', (text, line, column) => {
  const error = refusal(Buffer.from(text))
  expect(error.code).toBe('body_not_json')
  expect(error.places[0]).toMatchObject({ line, column })
})

test('the refusal does not repeat what was sent', () => {
  const error = refusal(Buffer.from('{"alert_content": canary}'))
  expect(JSON.stringify([error.message, error.places])).not.toContain('canary')
})

test.each([
  ['a cut multi-byte character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
  ['latin1', Buffer.from('{"a":"é"}', 'latin1')],
  ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['UTF-16 with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le')],
  ['UTF-16, big end first', Buffer.from('{"a":1}', 'utf16le').swap16()],
])('%s is not UTF-8', (_name, bytes) => {
  expect(refusal(bytes).code).toBe('body_not_utf8')
})

test('a byte order mark is skipped', () => {
  expect(parseBody(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 })
})

test('a field given twice is refused and named', () => {
  const error = refusal(Buffer.from('{"alerts":[{"a":1},{"a":1,"a":2}]}'))
  expect(error.code).toBe('field_repeated')
  expect(error.places[0]?.field).toBe('alerts.1.a')
})

test('nesting is allowed to a depth and refused beyond, however deep', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
  expect(() => parseBody(nested(32))).not.toThrow()
  for (const depth of [33, 500_000]) expect(refusal(nested(depth)).code).toBe('body_too_deep')
  expect(refusal(Buffer.from('['.repeat(500_000))).code).toBe('body_too_deep')
})

test('a field called __proto__ is a field like any other, and changes no prototype', () => {
  const value = parseBody(Buffer.from('{"__proto__":{"x":1}}')) as Record<string, unknown>
  expect(Object.keys(value)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})
