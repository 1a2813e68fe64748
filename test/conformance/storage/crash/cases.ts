import { expect, test } from 'vitest'
import { wholeTimeline } from '../../../support/timeline.ts'
import { everyone, investigated, newTenant, noon, noteOf, numbersTo } from '../fixtures.ts'
import { type At, deaths } from './bench.ts'

export function caseCrashes(at: At): void {
  test.each(deaths(4, 'cases', 'timeline'))('a change of a case that makes earlier entries move out: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const { claimed } = await investigated(store, newTenant())
    const id = claimed.run.case
    const keys = numbersTo(31).map((n) => `k${n}`)
    for (const key of keys) await store.cases.record(everyone, id, { title: key }, noteOf(key, noon + 40))
    await dieAt(survives, (doomed) => doomed.cases.record(everyone, id, { title: 'last' }, noteOf('last', noon + 41)))
    const timeline = async () => (await wholeTimeline(store, everyone, id)).slice(1).map(({ key }) => key)
    const applied = (await store.cases.get(everyone, id))?.title === 'last'
    expect(await timeline()).toEqual(applied ? [...keys, 'last'] : keys)
    expect(await store.cases.record(everyone, id, { title: 'last' }, noteOf('last', noon + 41))).toMatchObject({ title: 'last' })
    expect(await timeline()).toEqual([...keys, 'last'])
  })
}
