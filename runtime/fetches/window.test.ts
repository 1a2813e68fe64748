import { expect, test } from 'vitest'
import { type FetchState, newFetchState } from '../domain/index.ts'
import { nextWindow } from './window.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const now = 100 * day
const of = (since: number, halvings = 0): FetchState => ({ ...newFetchState(since), failures: 99, halvings })

test('an input without until asks for everything since, and the overlap', () => {
  expect(nextWindow({ overlap: hour }, of(now - 50 * day), now, false)).toEqual({
    since: now - 50 * day - hour,
    until: now,
    current: true,
    divisible: true,
  })
  expect(nextWindow({ overlap: 0 }, of(now - 50 * day), now, false).divisible).toBe(false)
})

test('an input with until asks for a day at a time, and then for the rest', () => {
  const first = nextWindow({ overlap: hour }, of(now - 1.5 * day), now, true)
  expect(first).toEqual({ since: now - 1.5 * day - hour, until: now - 0.5 * day, current: false, divisible: true })
  expect(nextWindow({ overlap: hour }, of(first.until), now, true)).toEqual({
    since: first.until - hour,
    until: now,
    current: true,
    divisible: true,
  })
})

test('each answer that is too large halves the time, down to a minute, and the overlap', () => {
  const since = now - 50 * day
  const lengths = [0, 1, 2, 10, 11, 31, 1_000].map((halvings) => nextWindow({ overlap: 7 * day }, of(since, halvings), now, true).until - since)
  expect(lengths).toEqual([day, day / 2, day / 4, day / 1_024, minute, minute, minute])
  const overlaps = [0, 1, 10, 31].map((halvings) => since - nextWindow({ overlap: day }, of(since, halvings), now, false).since)
  expect(overlaps).toEqual([day, day / 2, day / 1_024, 0])
  expect(nextWindow({ overlap: 0 }, of(since, 11), now, true).divisible).toBe(false)
})

test('a time from the future, as after a clock was set back, asks for the overlap before now', () => {
  for (const bounded of [true, false])
    expect(nextWindow({ overlap: hour }, of(now + 9 * day), now, bounded)).toMatchObject({ since: now - hour, until: now, current: true })
})

test('no time is before 1970', () => {
  expect(nextWindow({ overlap: hour }, of(minute), now, false).since).toBe(0)
})
