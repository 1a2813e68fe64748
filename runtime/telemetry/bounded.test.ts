import { expect, test } from 'vitest'
import { BoundedWarnings } from './bounded.ts'

function listening(most: number) {
  const lines: string[] = []
  const clock = { at: 0, now: () => clock.at }
  const logger = { warn: (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`) }
  return { bounded: new BoundedWarnings(logger as never, clock, most, 'more'), clock, lines }
}

test('a limited number of lines a minute are written, and the rest is counted', () => {
  const { bounded, clock, lines } = listening(2)
  for (let number = 1; number <= 5; number += 1) bounded.warn({ number }, 'one')
  expect(lines).toEqual(['one {"number":1}', 'one {"number":2}'])
  clock.at = 60_000
  bounded.warn({ number: 6 }, 'one')
  expect(lines.slice(2)).toEqual(['more {"left_out":3}', 'one {"number":6}'])
})

test('setting the clock back does not silence it', () => {
  const { bounded, clock, lines } = listening(1)
  clock.at = 3_600_000
  bounded.warn({ number: 1 }, 'one')
  clock.at = 0
  bounded.warn({ number: 2 }, 'one')
  expect(lines).toHaveLength(2)
})
