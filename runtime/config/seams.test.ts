import { afterEach, expect, test, vi } from 'vitest'
import { systemClock, systemIds } from './seams.ts'

afterEach(() => vi.useRealTimers())

const day = 86_400_000

test.each([1, day, 2 ** 31 - 1, 2 ** 31, 30 * day, 3_650 * day])('a timer of %i ms fires when its time has come, and not before', async (delay) => {
  vi.useFakeTimers()
  const fired: string[] = []
  systemClock.after(delay, () => fired.push('after'))
  const sleeping = systemClock.sleep(delay).then(() => fired.push('sleep'))
  await vi.advanceTimersByTimeAsync(delay - 1)
  expect(fired).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await sleeping
  expect(fired).toEqual(['after', 'sleep'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a long timer is cancelled at any time', async () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  const cancel = systemClock.after(60 * day, () => expect.unreachable())
  const sleeping = systemClock.sleep(60 * day, stop.signal)
  const refused = expect(sleeping).rejects.toThrow('given up')
  await vi.advanceTimersByTimeAsync(40 * day)
  cancel()
  stop.abort(new Error('given up'))
  await refused
  expect(vi.getTimerCount()).toBe(0)
})

test('UUIDs are of version 7, all different, and rise in the order they are made', () => {
  const made = Array.from({ length: 5_000 }, () => systemIds.uuid())
  expect(made[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(made).size).toBe(made.length)
  expect(made.toSorted()).toEqual(made)
})

test('a secret has as many random bytes as it was asked for', () => {
  expect(Buffer.from(systemIds.secret(32), 'base64url')).toHaveLength(32)
  expect(systemIds.secret(32)).not.toBe(systemIds.secret(32))
})
