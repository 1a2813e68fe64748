import type { Millis } from '../seams.ts'

/**
 * Durations are counted on a logarithmic scale. So the counts of several parts can be added up, and a percentile
 * needs no sorting. Each step is about 4.4 % longer than the one before.
 */
export const stepsPerDoubling = 16
/** Stores round logarithms differently. This keeps a duration at the edge of a step in the same step everywhere. */
export const stepSlack = 1e-9

/** Returns a duration in the middle of a step. */
export function durationOfStep(step: number): Millis {
  return Math.round(2 ** ((step + 0.5) / stepsPerDoubling))
}

/**
 * Returns a percentile of durations. It is exact to one step. Null if nothing was counted.
 * @param counts the number of durations in each step
 * @param share the percentile, from 0 to 1: 0.95 for the 95th
 */
export function percentileOf(counts: ReadonlyMap<number, number>, share: number): Millis | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const [step, count] of [...counts].sort(([one], [other]) => one - other)) {
    below += count
    if (below >= total * share) return durationOfStep(step)
  }
  return null
}
