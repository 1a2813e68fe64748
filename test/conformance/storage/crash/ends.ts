import { expect, test } from 'vitest'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  cancellation,
  claimOf,
  ended,
  endOf,
  everyone,
  investigated,
  mustClaim,
  mustClaimUndo,
  newTenant,
  noon,
  noteOf,
  openSession,
  undoOf,
} from '../fixtures.ts'
import { type At, deaths } from './bench.ts'

export function endCrashes(at: At): void {
  test.each(deaths(3, 'runs', 'journal', 'timeline'))('end of an undo: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const { alert, claimed } = await ended(store, newTenant())
    const opening = undoOf(claimed.run.id)
    const { run } = opening
    await store.runs.openUndo(everyone, opening)
    expect((await mustClaimUndo(store, run)).position).toBe(1)
    const before = await alertNow(store, alert.uuid)
    const end = endOf(run, 1, 1, { entries: [noteOf(`${run}#end`)], at: noon + 300 })
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
    await store.runs.settle(everyone, 99)
    if ((await store.journal.read(everyone, run)).length === 1) await store.runs.end(everyone, end)
    expect(await store.runs.get(everyone, run)).toMatchObject({ state: 'completed', endedAt: noon + 300 })
    expect((await wholeTimeline(store, everyone, claimed.run.case)).filter(({ key }) => key === `${run}#end`)).toHaveLength(1)
    expect(await alertNow(store, alert.uuid)).toEqual(before)
  })

  test.each(deaths(4, 'journal', 'runs', 'alerts'))('end with an automatic retry: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const { alert, claimed, session } = await investigated(store, tenant)
    const { run } = claimed
    const end = endOf(run.id, 1, 1, { state: 'failed', retryAt: noon + 900 })
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
    await store.sessions.close(everyone, session)
    await store.runs.settle(everyone, 99)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') await store.runs.end(everyone, { ...end, epoch: again.run.epoch, position: again.position })
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', retryAt: noon + 900 })
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, retryCount: 0 })
    expect(await store.alerts.retryDue(tenant.scope, noon + 899, 9)).toEqual([])
    expect(await store.alerts.retryDue(tenant.scope, noon + 900, 9)).toMatchObject([{ uuid: alert.uuid, retryCount: 1 }])
    // A late end of the first attempt does not change the second.
    expect(await store.runs.settle(everyone, 99)).toBe(0)
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 5, retryCount: 1 })
  })

  test.each(deaths(4, 'journal', 'runs', 'alerts'))(
    'end with an automatic retry that somebody cancels before the sweeper comes: %s',
    async (_, survives) => {
      const { store, dieAt } = at()
      const tenant = newTenant()
      const { alert, claimed, session } = await investigated(store, tenant)
      const { run } = claimed
      const end = endOf(run.id, 1, 1, { state: 'failed', retryAt: noon + 900, entries: [noteOf(`${run.id}#end`)] })
      await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
      await store.sessions.close(everyone, session)
      const answer = await store.runs.cancel(everyone, run.id, cancellation)
      if (answer?.kind === 'over') {
        expect(answer.run).toMatchObject({ state: 'failed', retryAt: noon + 900, cancelled: null })
        expect(await store.runs.dropRetry(everyone, run.id)).toBe(true)
      } else {
        // The end did not get into the journal. Whoever claims the run ends it as cancelled, without a retry.
        const again = await mustClaim(store, claimOf(alert, await openSession(store)))
        await store.runs.end(everyone, { ...end, epoch: again.run.epoch, position: again.position, retryAt: null })
      }
      await store.runs.settle(everyone, 99)
      expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', retryAt: null })
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, retryCount: 0 })
      expect(await store.alerts.retryDue(tenant.scope, noon + 900, 9)).toEqual([])
      expect((await wholeTimeline(store, everyone, run.case)).filter(({ key }) => key === `${run.id}#end`)).toHaveLength(1)
    },
  )

  test.each(deaths(6, 'journal', 'runs', 'timeline', 'alerts'))('end: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const { alert, claimed, session } = await investigated(store, tenant)
    const { run } = claimed
    const entries = ['a', 'b'].map((key) => noteOf(`${run.id}#${key}`, noon + 50))
    const end = endOf(run.id, 1, 1, { state: 'failed', reason: 'because', at: noon + 60, entries })
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
    await store.sessions.close(everyone, session)

    const fenced = (await store.journal.read(everyone, run.id)).length === 2
    const lagged = fenced && ((await alertNow(store, alert.uuid)).status === 10 || (await store.runs.get(everyone, run.id))?.state === 'running')
    const mended = await store.runs.settle(everyone, 99)
    if (lagged) expect(mended).toBe(1)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    expect(again.kind).toBe(fenced ? 'over' : 'claimed')
    if (again.kind === 'claimed') {
      const retold = { ...end, epoch: again.run.epoch, position: again.position }
      expect(await store.runs.end(everyone, retold)).toBe('ended')
    }
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', reason: 'because', endedAt: noon + 60 })
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, completedAt: noon + 60 })
    expect((await wholeTimeline(store, everyone, run.case)).slice(1)).toEqual(entries)
    expect(await store.runs.settle(everyone, 99)).toBe(0)
    expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
  })

  test.each(deaths(6, 'journal', 'runs', 'timeline', 'alerts'))(
    'end that was told when it was stored stands, and one that was not stored was not told: %s',
    async (_, survives) => {
      const { store, dieAt } = at()
      const { alert, claimed, session } = await investigated(store, newTenant())
      const end = endOf(claimed.run.id, 1, 1, { state: 'failed', at: noon + 60, entries: [noteOf('end', noon + 50)] })
      let told = 0
      await dieAt(survives, (doomed) =>
        doomed.runs.end(everyone, end, () => {
          told += 1
        }),
      )
      expect(told).toBe((await store.journal.read(everyone, claimed.run.id)).length - 1)
      await store.sessions.close(everyone, session)
      await store.runs.settle(everyone, 99)
      const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
      expect(again.kind).toBe(told === 1 ? 'over' : 'claimed')
      if (told === 1) expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, completedAt: noon + 60 })
    },
  )

  test('an end that comes too late is not told', async () => {
    const { store } = at()
    const { claimed } = await investigated(store, newTenant())
    await store.runs.cancel(everyone, claimed.run.id, cancellation)
    let told = 0
    const end = endOf(claimed.run.id, 1, 1)
    expect(
      await store.runs.end(everyone, end, () => {
        told += 1
      }),
    ).toBe('superseded')
    expect(told).toBe(0)
  })

  test.each(deaths(6, 'journal', 'runs', 'cases', 'alerts'))('end of a failed run, which marks its case once: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    const { run } = claimed
    const told = { run: run.id, alert: alert.uuid, alertId: alert.alertId, attempt: 1, message: 'reset', remedy: null, step: null, retryAt: null }
    const body = { kind: 'failure', code: 'network', text: 'reset', ended: told } as const
    const entries = [{ ...noteOf(`${run.id}#failure`, noon + 60), actor: { run: run.id, step: '' }, body }]
    const end = endOf(run.id, 1, 1, { state: 'failed', at: noon + 60, entries })
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
    await store.sessions.close(everyone, session)
    await store.runs.settle(everyone, 99)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') await store.runs.end(everyone, { ...end, epoch: again.run.epoch, position: again.position })
    const marked = { status: 'analyst_pending', marks: { failures: [{ run: run.id, code: 'network' }] } }
    expect(await store.cases.get(everyone, run.case)).toMatchObject(marked)
    expect((await wholeTimeline(store, everyone, run.case)).slice(1)).toMatchObject([{ body: { kind: 'failure', status: 'analyst_pending' } }])
    // A person has handled it. A late settlement does not mark the case again.
    await store.cases.record(everyone, run.case, { status: 'closed' }, noteOf('seen', noon + 70))
    await store.runs.settle(everyone, 99)
    expect(await store.cases.get(everyone, run.case)).toMatchObject({ status: 'closed', marks: { failures: [] } })
  })

  test.each(deaths(5, 'journal', 'runs', 'timeline', 'alerts'))('end that a claim finds before the sweeper does: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, endOf(claimed.run.id, 1, 1, { entries: [noteOf('x', noon + 50)] })))
    await store.sessions.close(everyone, session)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') return
    // The claim repairs it only if the run still seemed to be running. The sweeper repairs the rest.
    await store.runs.settle(everyone, 99)
    expect(await store.runs.get(everyone, claimed.run.id)).toMatchObject({ state: 'completed' })
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
    expect(await wholeTimeline(store, everyone, claimed.run.case)).toHaveLength(2)
  })

  test('a run that cannot be settled does not stop others', async () => {
    const { store, collections, dieAt } = at()
    const broken = await investigated(store, newTenant())
    const other = await investigated(store, newTenant())
    for (const { claimed } of [broken, other]) {
      await dieAt(
        (collection) => collection === 'journal',
        (doomed) => doomed.runs.end(everyone, endOf(claimed.run.id, 1, 1)),
      )
    }
    const mark = { '_id.run': broken.claimed.run.id, unsettled: true } as const
    await collections.journal.updateOne(mark, { $set: { entries: 'no JSON' } })
    await expect(store.runs.settle(everyone, 99)).rejects.toThrow('JSON')
    expect((await alertNow(store, other.alert.uuid)).status).toBe(15)
    expect(await collections.journal.countDocuments({ '_id.run': other.claimed.run.id, unsettled: true })).toBe(0)
    await collections.journal.updateOne(mark, { $set: { entries: '[]' } })
    expect(await store.runs.settle(everyone, 99)).toBe(1)
    expect((await alertNow(store, broken.alert.uuid)).status).toBe(15)
  })

  test('settle does not change the runs of other tenants', async () => {
    const { store, dieAt } = at()
    const { alert, claimed } = await investigated(store, newTenant())
    await dieAt(
      (collection) => collection === 'journal',
      (doomed) => doomed.runs.end(everyone, endOf(claimed.run.id, 1, 1)),
    )
    expect(await store.runs.settle(newTenant().scope, 99)).toBe(0)
    expect((await alertNow(store, alert.uuid)).status).toBe(10)
    expect(await store.runs.settle(everyone, 99)).toBe(1)
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
  })
}
