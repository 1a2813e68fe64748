import { expect, test } from 'vitest'
import { everyone, investigated, newTenant } from '../fixtures.ts'
import { type At, deaths } from './bench.ts'

export function journalCrashes(at: At): void {
  test.each(deaths(5))('a large output: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const { claimed } = await investigated(store, newTenant())
    const [first, second] = ['a', 'b'].map((letter) => JSON.stringify(letter.repeat(9 * 1024 * 1024)))
    await dieAt(survives, (doomed) => doomed.journal.putOutput(everyone, claimed.run.id, 'big', first!))
    const before = await store.journal.getOutput(everyone, claimed.run.id, 'big')
    expect(before === null || before === first).toBe(true)
    await store.journal.putOutput(everyone, claimed.run.id, 'big', second!)
    expect((await store.journal.getOutput(everyone, claimed.run.id, 'big')) === (before ?? second)).toBe(true)
  })
}
