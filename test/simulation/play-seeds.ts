import { expect, test } from 'vitest'
import { reportOf } from './report.ts'
import { firstSeed, oneSeed, seedCount } from './seeds.ts'
import { simulate } from './simulate.ts'

/** How many seeds one test plays. Larger groups keep the report short. */
const together = 100
const linesOfOne = 100_000
const linesOfMany = 60
const longest = 600_000

/**
 * Defines the tests of every group of seeds whose turn is `part`. Each part is a file, and files run in
 * parallel. A single seed is played by the first part.
 */
export function playSeeds(part: number, parts: number): void {
  const seed = oneSeed
  if (seed !== null) {
    test.skipIf(part > 0)(`seed ${seed}`, async () => {
      const played = await simulate(seed, { lines: linesOfOne })
      console.log(reportOf(played, linesOfOne))
      expect(played.wrong).toEqual([])
    })
    return
  }
  const groups = Array.from({ length: Math.ceil(seedCount / together) }, (_, index) => {
    const from = firstSeed + index * together
    return { from, to: Math.min(from + together, firstSeed + seedCount) - 1 }
  }).filter((_, index) => index % parts === part)
  test.each(groups)(
    'the runtime keeps its promises whatever happens to it: seeds $from to $to',
    async ({ from, to }) => {
      const reports: string[] = []
      for (let seed = from; seed <= to; seed += 1) {
        const played = await simulate(seed, { lines: linesOfMany })
        if (played.wrong.length > 0) reports.push(reportOf(played, linesOfMany))
      }
      expect(reports.join('\n\n')).toBe('')
    },
    longest,
  )
}
