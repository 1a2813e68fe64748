import { expect, test } from 'vitest'
import { asId, type DeliveryId } from '../domain/index.ts'
import type { LeasedDelivery } from '../storage/index.ts'
import { backoff, outcomeOf, patience } from './outcome.ts'

const hour = 60 * 60 * 1_000
const id = asId<DeliveryId>('case_opened-1.w')
const leased = { id, attempts: 0, age: 0 } as Partial<LeasedDelivery> as LeasedDelivery
const failed = { status: 500, error: 'It answered 500.', detail: null, retryAfter: null }

test('waits grow fourfold up to eight hours, with a jitter of a fifth', () => {
  for (const [attempts, seconds] of [
    [1, 5],
    [2, 20],
    [3, 80],
    [7, 20_480],
    [8, 28_800],
    [40, 28_800],
  ] as const) {
    expect(backoff(id, attempts)).toBeGreaterThanOrEqual(800 * seconds)
    expect(backoff(id, attempts)).toBeLessThanOrEqual(1_200 * seconds)
  }
  const others = Array.from({ length: 50 }, (_, index) => backoff(asId<DeliveryId>(`${index}`), 3))
  expect(new Set(others).size).toBeGreaterThan(45)
  expect(backoff(id, 3)).toBe(backoff(id, 3))
})

test('a 2xx answer means delivered', () => {
  expect(outcomeOf(leased, { status: 204, error: null, detail: null, retryAfter: null }, 7)).toEqual({
    kind: 'delivered',
    attempt: { at: 7, status: 204, error: null },
  })
})

test('a receiver can ask for a longer wait', () => {
  expect(outcomeOf(leased, { ...failed, detail: null, retryAfter: 60_000 }, 7)).toMatchObject({ kind: 'again', delay: 60_000 })
  expect(outcomeOf(leased, { ...failed, detail: null, retryAfter: 1_000 }, 7)).toMatchObject({ kind: 'again', delay: backoff(id, 1) })
})

test('a delivery whose next attempt would be after three days is given up', () => {
  expect(outcomeOf({ ...leased, age: patience - 1 }, failed, 7)).toEqual({
    kind: 'dead',
    attempt: { at: 7, status: 500, error: 'It answered 500. Given up after three days.' },
  })
})

test.each([9 * hour, patience + 1, 999_999_999_000])('a receiver that asks for a wait of %d ms is tried again after eight hours', (retryAfter) => {
  expect(outcomeOf(leased, { ...failed, retryAfter }, 7)).toMatchObject({ kind: 'again', delay: 8 * hour })
  expect(outcomeOf({ ...leased, attempts: 20 }, { ...failed, retryAfter }, 7)).toMatchObject({
    kind: 'again',
    delay: Math.max(8 * hour, backoff(id, 21)),
  })
  expect(outcomeOf({ ...leased, age: patience - 8 * hour + 1 }, { ...failed, retryAfter }, 7)).toMatchObject({ kind: 'dead' })
})
