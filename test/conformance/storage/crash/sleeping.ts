import { expect, test } from 'vitest'
import { wholeTimeline } from '../../../support/timeline.ts'
import { cancellation, claimOf, everyone, investigated, mustClaim, newTenant, noon, openSession, sleepOf } from '../fixtures.ts'
import { type At, deaths } from './bench.ts'

export function sleepCrashes(at: At): void {
  test.each(deaths(2, 'runs', 'journal'))('sleep: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    const { run } = claimed
    const sleep = sleepOf(run.id, 1, 1, noon + 500)
    await dieAt(survives, (doomed) => doomed.runs.sleep(everyone, sleep))
    await store.sessions.close(everyone, session)
    // Either it sleeps, or somebody claims it and puts it to sleep again.
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') {
      expect(await store.runs.sleep(everyone, { ...sleep, epoch: again.run.epoch, position: again.position })).toBe('slept')
    } else expect(again).toEqual({ kind: 'asleep' })
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting', wakeAt: noon + 500 })
    expect(await store.runs.orphans(everyone, 999)).not.toContainEqual(expect.objectContaining({ uuid: alert.uuid }))
  })

  test.each(deaths(3, 'runs', 'journal', 'timeline'))('cancel: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    const { run } = claimed
    await store.runs.sleep(everyone, sleepOf(run.id, 1, 1, null))
    await dieAt(survives, (doomed) => doomed.runs.cancel(everyone, run.id, cancellation))
    // The caller got no answer and asks again. There is one cancellation: the first that got into the journal.
    const again = await store.runs.cancel(everyone, run.id, { ...cancellation, by: 'eve' })
    const records = (await store.journal.read(everyone, run.id)).flatMap((entry) => entry.records)
    const standing = records.filter(({ kind }) => kind === 'cancelled')
    expect(standing).toHaveLength(1)
    expect(again?.run.cancelled).toMatchObject({ by: (standing[0] as { by?: string }).by, reason: 'a drill' })
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting', wakeAt: cancellation.at, cancelled: again?.run.cancelled })
    const told = (await wholeTimeline(store, everyone, run.case)).filter(({ body }) => body.kind === 'cancelled')
    expect(told).toMatchObject([{ body: { by: again?.run.cancelled?.by } }])
    expect((await mustClaim(store, claimOf(alert, session, 1, cancellation.at))).run.cancelled).toEqual(again?.run.cancelled)
  })
}
