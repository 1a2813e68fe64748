import { expect, test } from 'vitest'
import { type Json, parseJson } from '../../domain/index.ts'
import { isTocsinError, type TocsinError } from '../../errors/index.ts'
import { noTurns, type Turns } from '../../fairness/index.ts'
import { parseBody } from './body.ts'

async function refusal(bytes: Buffer, parse?: (text: string) => Json): Promise<TocsinError> {
  try {
    await parseBody(bytes, noTurns, 'acme', parse)
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
])('what is not JSON names line and column: %j', async (text, line, column) => {
  const error = await refusal(Buffer.from(text))
  expect(error.code).toBe('body_not_json')
  expect(error.places[0]).toMatchObject({ line, column })
})

test('the refusal does not repeat what was sent', async () => {
  const error = await refusal(Buffer.from('{"alert_content": canary}'))
  expect(JSON.stringify([error.message, error.places])).not.toContain('canary')
})

test.each([
  ['a cut multi-byte character', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
  ['latin1', Buffer.from('{"a":"é"}', 'latin1')],
  ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['UTF-16 with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le')],
  ['UTF-16, big end first', Buffer.from('{"a":1}', 'utf16le').swap16()],
])('%s is not UTF-8', async (_name, bytes) => {
  expect((await refusal(bytes)).code).toBe('body_not_utf8')
})

test('numbers are read without loss if the values are passed on', async () => {
  const bytes = Buffer.from('{"a":12345678901234567890,"b":1e400,"c":7,"d":0.5}')
  expect(await parseBody(bytes, noTurns, 'acme', parseJson)).toEqual({ a: '12345678901234567890', b: '1e400', c: 7, d: 0.5 })
  expect((await refusal(Buffer.from('{"a":12345678901234567890,"a":1}'), parseJson)).code).toBe('field_repeated')
})

test('a byte order mark is skipped', async () => {
  expect(await parseBody(Buffer.from('\ufeff{"a":1}'), noTurns, 'acme')).toEqual({ a: 1 })
})

test('a field given twice is refused and named', async () => {
  const error = await refusal(Buffer.from('{"alerts":[{"a":1},{"a":1,"a":2}]}'))
  expect(error.code).toBe('field_repeated')
  expect(error.places[0]?.field).toBe('alerts.1.a')
})

test('nesting is allowed to a depth and refused beyond, however deep', async () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
  expect(() => parseBody(nested(32), noTurns, 'acme')).not.toThrow()
  for (const depth of [33, 500_000]) expect((await refusal(nested(depth))).code).toBe('body_too_deep')
  expect((await refusal(Buffer.from('['.repeat(500_000)))).code).toBe('body_too_deep')
})

test('a field called __proto__ is a field like any other, and changes no prototype', async () => {
  const value = (await parseBody(Buffer.from('{"__proto__":{"x":1}}'), noTurns, 'acme')) as Record<string, unknown>
  expect(Object.keys(value)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test.each([
  ['a list of numbers', `[${'0,'.repeat(200_000)}0]`],
  ['empty lists', `[${'[],'.repeat(100_001)}[]]`],
  ['fields', `{${Array.from({ length: 20_001 }, (_, at) => `"k${at}":0`).join(',')}}`],
])('a body of too many values is refused, whatever they are: %s', async (_what, text) => {
  expect((await refusal(Buffer.from(text))).code).toBe('body_too_many_values')
})

test('a long body is read in turns, and held to the same rules', async () => {
  let taken = 0
  const turns: Turns = {
    next: () => {
      taken += 1
      return null
    },
  }
  const items = Array.from({ length: 20_000 }, (_, at) => ({ text: `item ${at}`, list: [at] }))
  expect(await parseBody(Buffer.from(JSON.stringify({ items })), turns, 'acme')).toEqual({ items })
  expect(taken).toBeGreaterThan(10)
  const repeated = JSON.stringify({ items }).replace('"item 15000"', '"item 15000","text":""')
  expect((await refusal(Buffer.from(repeated))).places[0]?.field).toBe('items.15000.text')
  const broken = await refusal(Buffer.from(JSON.stringify({ items }, null, 1).replace('"item 15000"', 'nope')))
  expect([broken.code, broken.places[0]?.line]).toEqual(['body_not_json', 15_000 * 6 + 4])
  const lines = await refusal(Buffer.from(`${'\n'.repeat(3_000_000)}nope`))
  expect(lines.message).toContain('at character')
})
