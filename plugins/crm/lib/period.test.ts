import { expect, test } from 'vitest'
import { NoPeriod, periodOf } from './period.ts'

const now = Date.UTC(2026, 8, 21, 8)

test.each([
  ['15m', 15 * 60_000],
  ['24h', 24 * 3_600_000],
  ['7d', 7 * 86_400_000],
  ['2w', 14 * 86_400_000],
])('%s back from now', (last, milliseconds) => {
  expect(periodOf({ last }, now)).toEqual({ after: now - milliseconds, before: null })
})

test('from and up to a time, one of them, none', () => {
  expect(periodOf({ after: '2026-09-01T00:00:00Z', before: '2026-09-01T02:00:00+01:00' }, now)).toEqual({
    after: Date.UTC(2026, 8, 1),
    before: Date.UTC(2026, 8, 1, 1),
  })
  expect(periodOf({ after: '2026-09-01T00:00:00Z' }, now)).toEqual({ after: Date.UTC(2026, 8, 1), before: null })
  expect(periodOf({}, now)).toEqual({ after: null, before: null })
})

test('every form of the format date-time', () => {
  for (const after of ['2026-09-01 00:00:00Z', '2026-09-01t00:00:00z', '2026-09-01 02:00:00+02:00', '2026-09-01T00:00:00.000000000Z'])
    expect(periodOf({ after }, now), after).toEqual({ after: Date.UTC(2026, 8, 1), before: null })
})

test('a duration that reaches before the first record starts at the first record', () => {
  expect(periodOf({ last: '999999w' }, now)).toEqual({ after: Date.UTC(1999, 0, 1), before: null })
})

test.each([
  [{ after: '0001-01-01T00:00:00Z' }],
  [{ before: '9999-01-01T00:00:00Z' }],
  [{ last: '24h', after: '2026-09-01T00:00:00Z' }],
  [{ last: '0h' }],
  [{ last: '1y' }],
  [{ last: '-1h' }],
  [{ after: 'yesterday' }],
  [{ after: '2026-09-02T00:00:00Z', before: '2026-09-01T00:00:00Z' }],
  [{ after: '2026-09-01T00:00:00Z', before: '2026-09-01T00:00:00Z' }],
])('%j cannot be meant', (asked) => {
  expect(() => periodOf(asked, now)).toThrow(NoPeriod)
})
