import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { TtlCache } from './ttl-cache.ts'

test('callers share one read until the value is too old', async () => {
  const clock = new ManualClock()
  const fresh = new TtlCache<number>(clock, 1_000, 10)
  let reads = 0
  const read = async (): Promise<number> => ++reads
  expect(await Promise.all([fresh.get('a', read), fresh.get('a', read)])).toEqual([1, 1])
  clock.advance(1_000)
  expect(await fresh.get('a', read)).toBe(2)
})

test('a value is read again after the clock was set back, and is then kept for its time', async () => {
  const clock = new ManualClock()
  const fresh = new TtlCache<number>(clock, 1_000, 10)
  let reads = 0
  const read = async (): Promise<number> => ++reads
  await fresh.get('a', read)
  clock.advance(-3_600_000)
  expect(await fresh.peek('a')).toBeUndefined()
  expect(await fresh.get('a', read)).toBe(2)
  clock.advance(999)
  expect(await fresh.get('a', read)).toBe(2)
  clock.advance(1)
  expect(await fresh.get('a', read)).toBe(3)
})

test('a failed read is not kept', async () => {
  const fresh = new TtlCache<number>(new ManualClock(), 1_000, 10)
  await expect(fresh.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await fresh.get('a', async () => 1)).toBe(1)
})

test('the oldest value is forgotten if there are too many', async () => {
  const fresh = new TtlCache<number>(new ManualClock(), 1_000, 2)
  for (const key of ['a', 'b', 'c']) await fresh.get(key, async () => 1)
  expect(await fresh.get('a', async () => 2)).toBe(2)
  expect(await fresh.get('c', async () => 2)).toBe(1)
})
