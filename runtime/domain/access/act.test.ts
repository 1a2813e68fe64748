import { expect, test } from 'vitest'
import { boundedDetails, namesIn } from './act.ts'

test('details keep short values as they are, and lose the end of long texts, long lists and deep values', () => {
  const short = { connection: 'c-1', reason: null, ok: true, targets: ['ada'], change: { severity: 'low' } }
  expect(boundedDetails(short)).toEqual(short)
  const long = { text: 'x'.repeat(10_000), list: Array.from({ length: 150 }, (_, n) => n), deep: { a: { b: { c: { d: { e: 1 } } } } } }
  const { text, list, deep } = boundedDetails(long) as unknown as { text: string; list: unknown[]; deep: unknown }
  expect(text.length).toBeLessThanOrEqual(501)
  expect([list.length, list[99], list[100]]).toEqual([101, 99, '… and 50 more'])
  expect(deep).toEqual({ a: { b: { c: '…' } } })
})

test('an act is found by at most 64 names, and by none that is empty or longer than 200 characters', () => {
  expect(namesIn({ case: 'ACME-1', targets: ['ada', 'ada', ''], n: 1, change: { to: ['bob', 'y'.repeat(201)] } })).toEqual(['ACME-1', 'ada', 'bob'])
  expect(namesIn({ list: Array.from({ length: 100 }, (_, n) => `user-${n}`) })).toHaveLength(64)
})
