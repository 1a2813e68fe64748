import { expect, test } from 'vitest'
import { distance } from './distance.ts'

const now = 1_800_000_000_000

test.each([
  [0, 'now'],
  [-999, 'now'],
  [-1_000, '1 sec. ago'],
  [-119_000, '1 min. ago'],
  [59 * 60_000, 'in 59 min.'],
  // A decision that expires in less than four hours must not show four hours.
  [4 * 3_600_000 - 1, 'in 3 hr.'],
  [-3 * 86_400_000, '3 days ago'],
])('%i ms from now is %s', (apart, words) => {
  expect(distance(now + apart, now)).toBe(words)
})
