import { afterEach, expect, test, vi } from 'vitest'
import { endFault, endsOf } from './end-times.ts'
import { compileSchema } from './schema.ts'

afterEach(() => void vi.unstubAllEnvs())

const now = Date.UTC(2026, 0, 1)
const minute = 60_000
const ends = endsOf({
  type: 'object',
  properties: {
    at: { type: 'integer', 'x-ends': { unit: 's', within: '10m' } },
    on: { type: 'string', 'x-ends': { unit: 'text', within: '10m' } },
    other: { type: 'integer' },
  },
})

test.each([
  [{}, null],
  [{ at: null, on: null, other: 5 }, null],
  [{ at: (now + minute) / 1_000 }, null],
  [{ at: now + minute }, 'span_too_long'],
  [{ at: now / 1_000 }, 'end_past'],
  [{ on: '2026-01-01T00:05:00Z' }, null],
  [{ on: '2026-01-01T01:05:00+01:00' }, null],
  [{ on: '2025-12-31T23:59:59Z' }, 'end_past'],
  [{ on: '9999-12-31T23:59:59Z' }, 'span_too_long'],
  [{ on: '2026-12-31T23:59:60Z' }, 'end_past'],
  [{ on: 'Thu, 01 Jan 2026 00:05:00 GMT' }, 'end_past'],
  [{ at: (now + minute) / 1_000, on: '2025-01-01T00:00:00Z' }, 'end_past'],
])('%j: %s', (input, code) => {
  expect(endFault(ends, input, now, undefined)?.code ?? null).toBe(code)
})

test('the policy takes precedence over the skill', () => {
  const input = { on: '2026-01-01T00:20:00Z' }
  expect(endFault(ends, input, now, 30 * minute)).toBeNull()
  expect(endFault(ends, input, now, null)).toBeNull()
  expect(endFault(ends, input, now, minute)?.message).toContain("the organization's policy allows at most 1m")
})

test('an invalid schema is refused', () => {
  const schema = (ends: object) => () => compileSchema({ type: 'object', properties: { at: { type: 'integer', 'x-ends': ends as never } } })
  expect(schema({ unit: 'ms', within: '1h' })).not.toThrow()
  for (const wrong of [{ unit: 'ms' }, { unit: 'days', within: '1h' }, { unit: 's', within: 'soon' }, { unit: 's', within: '1h', more: 1 }])
    expect(schema(wrong)).toThrow()
  expect(() => endsOf({ properties: { at: { 'x-ends': { unit: 's', within: '9999d' } } } })).toThrow('longer than')
})

test('two times must be in order', () => {
  const { faults } = compileSchema({ type: 'object', 'x-order': ['from', 'to'], properties: { from: {}, to: {} } } as never)
  expect(faults({ from: 1, to: 2 })).toEqual([])
  expect(faults({ from: 2 })).toEqual([])
  expect(faults({ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:30:00+00:00' })).toEqual([])
  for (const wrong of [
    { from: 2, to: 2 },
    { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
  ])
    expect(faults(wrong)).toEqual(['to must be later than from'])
})

test.each(['Asia/Kolkata', 'America/St_Johns'])('a time without a zone is UTC wherever the server is: %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(endFault(ends, { on: '2026-01-01T00:05:00' }, now, undefined)).toBeNull()
  expect(endFault(ends, { on: '2025-12-31T23:59:59' }, now, undefined)?.code).toBe('end_past')
  const { faults } = compileSchema({ type: 'object', 'x-order': ['from', 'to'], properties: { from: {}, to: {} } } as never)
  expect(faults({ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:01' })).toEqual([])
  expect(faults({ from: '2026-01-01T00:00:01', to: '2026-01-01T00:00:00Z' })).toEqual(['to must be later than from'])
})
