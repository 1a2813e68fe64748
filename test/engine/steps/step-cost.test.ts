import { afterEach, expect, test } from 'vitest'
import type { Store } from '../../../runtime/storage/index.ts'
import { Bench, done } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

/** Counts the writes to the store while something is done. */
async function writes(store: Store, work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  const restore: (() => void)[] = []
  for (const [aggregate, method] of [
    ['journal', 'append'],
    ['journal', 'putOutput'],
    ['cases', 'record'],
    ['runs', 'end'],
  ] as const) {
    const methods = store[aggregate] as unknown as Record<string, (...given: unknown[]) => unknown>
    const own = methods[method]!
    counts[`${aggregate}.${method}`] = 0
    methods[method] = (...given) => {
      counts[`${aggregate}.${method}`]! += 1
      return own.apply(methods, given)
    }
    restore.push(() => {
      methods[method] = own
    })
  }
  await work()
  for (const undo of restore) undo()
  return counts
}

const header = 'format: 1\nplaybook: p\nalert_type: t\nsteps:\n'

test.each([1, 300])('%i steps without calls write nothing: the whole run is one write, its end (complaint 6)', async (count) => {
  const steps = Array.from({ length: count }, (_, index) => `  - id: s${index}\n    set: { n: ${index} }\n    if: { '>=': [${index}, 0] }\n`)
  bench = await Bench.open(header + steps.join(''))
  const written = await writes(bench.store, () => bench.live(() => done({})))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(written).toEqual({ 'journal.append': 0, 'journal.putOutput': 0, 'cases.record': 0, 'runs.end': 1 })
})

test('a read costs at most one append, a write two; a step without a call costs none (complaint 6)', async () => {
  const read = Array.from({ length: 20 }, (_, index) => `  - { id: r${index}, skill: directory.get_user, with: { user: u${index} } }\n`)
  bench = await Bench.open(`${header}${read.join('')}  - { id: w, skill: directory.suspend_user, with: { user: ada } }\n`)
  const written = await writes(bench.store, () => bench.live(() => done({ state: 'active' })))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(written['journal.append']).toBeLessThanOrEqual(20 + 2)
  expect(written['journal.append']).toBeGreaterThan(0)
})
