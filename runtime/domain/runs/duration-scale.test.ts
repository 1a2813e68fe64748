import { expect, test } from 'vitest'
import { durationOfStep, percentileOf, stepSlack, stepsPerDoubling } from './duration-scale.ts'

const stepOf = (duration: number): number => Math.floor(Math.log2(duration) * stepsPerDoubling + stepSlack)
const counted = (durations: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const duration of durations) counts.set(stepOf(duration), (counts.get(stepOf(duration)) ?? 0) + 1)
  return counts
}

test('a duration is within 3 % of its step', () => {
  for (const duration of [100, 1_000, 12_345, 3_600_000]) expect(durationOfStep(stepOf(duration)) / duration).toBeCloseTo(1, 1)
})

test('percentiles are those of the durations, within a step', () => {
  const durations = Array.from({ length: 100 }, (_, index) => (index + 1) * 1_000)
  const within = (found: number | null, exact: number): void => expect(Math.abs((found ?? 0) - exact) / exact).toBeLessThan(0.05)
  within(percentileOf(counted(durations), 0.5), 50_000)
  within(percentileOf(counted(durations), 0.95), 95_000)
  within(percentileOf(counted([7_000]), 0.95), 7_000)
  expect(percentileOf(new Map(), 0.5)).toBeNull()
})
