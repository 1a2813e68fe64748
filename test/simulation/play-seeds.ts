import { expect, test } from 'vitest'
import { reportOf } from './report.ts'
import { firstSeed, oneSeed, seedCount } from './seeds.ts'
import { simulate } from './simulate.ts'

/** Seeds in one test, for the reporter's sake. */
const together = 100
const linesOfOne = 100_000
const linesOfMany = 60

const seed = oneSeed
if (seed !== null) {
  test(`seed ${seed}`, async () => {
    const played = await simulate(seed, { lines: linesOfOne })
    console.log(reportOf(played, linesOfOne))
    expect(played.wrong).toEqual([])
  })
} else {
  const groups = Array.from({ length: Math.ceil(seedCount / together) }, (_, index) => {
    const from = firstSeed + index * together
    return { from, to: Math.min(from + together, firstSeed + seedCount) - 1 }
  })
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
    600_000,
  )
}
