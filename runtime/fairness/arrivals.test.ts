import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { Arrivals } from './arrivals.ts'

let clock: ManualClock
let arrivals: Arrivals
let told: number[]

beforeEach(() => {
  clock = new ManualClock()
  arrivals = new Arrivals(clock)
  told = []
  arrivals.onFewer(() => told.push(arrivals.peak))
})

function come(count: number): void {
  for (let one = 0; one < count; one += 1) arrivals.came()
}

test('a peak counts for a moment, and then less does', () => {
  come(5)
  arrivals.went(5)
  come(2)
  expect(arrivals.peak).toBe(5)
  clock.advance(50)
  expect([arrivals.peak, ...told]).toEqual([5])
  clock.advance(50)
  expect([arrivals.peak, ...told]).toEqual([2, 2])
  arrivals.went(2)
  clock.advance(100)
  expect([arrivals.peak, ...told]).toEqual([0, 2, 0])
})

test('what does not go away counts for as long, and a new peak counts at once', () => {
  come(3)
  clock.advance(1_000)
  expect([arrivals.peak, ...told]).toEqual([3])
  come(1)
  expect(arrivals.peak).toBe(4)
})

test('without any arrivals, it asks the clock for nothing', () => {
  let asked = 0
  class CountingClock extends ManualClock {
    override after(...given: Parameters<ManualClock['after']>): () => void {
      asked += 1
      return super.after(...given)
    }
  }
  clock = new CountingClock()
  arrivals = new Arrivals(clock)
  come(1)
  arrivals.went(1)
  clock.advance(10_000)
  expect([arrivals.peak, asked]).toEqual([0, 2])
})

test('whoever has left is not told', () => {
  const heard: string[] = []
  const leave = arrivals.onFewer(() => heard.push('fewer'))
  leave()
  come(1)
  arrivals.went(1)
  clock.advance(100)
  expect([told, heard]).toEqual([[0], []])
})
