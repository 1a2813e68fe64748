import { expect, test } from 'vitest'
import { pauseBefore } from './backoff.ts'

/** Collects all pauses until the time is up. */
function pauses(limit: number): readonly number[] {
  const found: number[] = []
  let left = limit
  for (let pause = pauseBefore(0, left); pause !== null; pause = pauseBefore(found.length, left)) {
    found.push(pause)
    left -= pause
  }
  return found
}

test('pauses double up to fifteen seconds, and together are the limit exactly', () => {
  expect(pauses(60_000)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  expect(pauses(2_500)).toEqual([1_000, 1_500])
  expect(pauses(0)).toEqual([])
  expect(pauses(1_800_000).reduce((sum, pause) => sum + pause, 0)).toBe(1_800_000)
})
