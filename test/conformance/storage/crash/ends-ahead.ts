import { expect, test } from 'vitest'
import { runId } from '../../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  claimedBy,
  claimOf,
  doneRecord,
  endOf,
  everyone,
  insertOne,
  investigated,
  justStored,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  noteOf,
  openSession,
  showingLater,
} from '../fixtures.ts'
import { type Aggregates, type At, type CrashBench, deaths } from './bench.ts'
import { consistentCase } from './consistent.ts'

/** Runs that end while their cases open. */
export function endsAheadCrashes(at: At): void {
  const parts = { entries: [noteOf('end', noon + 50)], records: [doneRecord('read', 1)] }

  /** Begins a run, and ends it without waiting for its case. */
  async function hasty(store: Pick<Aggregates, 'runs'>, claim: ReturnType<typeof claimOf>): Promise<string> {
    const claimed = claimedBy(await store.runs.claim(everyone, claim))
    expect(claimed.endsAhead).toBe(true)
    claimed.opened?.catch(() => undefined)
    return store.runs.end(everyone, endOf(claimed.run.id, 1, claimed.position, parts))
  }

  test.each(deaths(9, 'runs', 'journal', 'counters', 'cases', 'alerts', 'timeline'))(
    'a run that ends while its case opens: %s',
    async (_, survives) => {
      const { store, dieAt } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const alert = await insertOne(store, newAlert(tenant))
      await dieAt(survives, (doomed) => hasty(doomed, showingLater(justStored(claimOf(alert, session), alert))))
      await store.sessions.close(everyone, session)
      // What the alert shows is the claim with its case, the end, or nothing of both.
      const { status, case: shown, investigator } = await alertNow(store, alert.uuid)
      expect([status >= 10, shown !== null, investigator !== null]).toEqual(Array(3).fill(status >= 10))

      await store.runs.settle(everyone, 99)
      const before = (await alertNow(store, alert.uuid)).status
      // If the end is stored and nothing shows it, the sweeper still finds the alert or the run.
      const found = [...(await store.alerts.pending(tenant.scope, noon + 9_000, 9)), ...(await store.runs.orphans(tenant.scope, 9))]
      expect(found.map(({ uuid }) => uuid).includes(alert.uuid)).toBe(before !== 15)
      const records = (await store.journal.read(everyone, runId(alert.uuid, 1))).flatMap((entry) => entry.records)
      const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
      // An end that is stored stands: nobody executes the run again.
      expect(again.kind).toBe(records.some(({ kind }) => kind === 'ended') ? 'over' : 'claimed')
      if (again.kind === 'claimed') {
        await again.opened
        expect(await store.runs.end(everyone, endOf(again.run.id, again.run.epoch, again.position, parts))).toBe('ended')
      }
      await store.runs.settle(everyone, 99)
      await consistentCase(store, tenant, alert)
      const [run] = await store.runs.ofAlert(everyone, alert.uuid)
      expect(run).toMatchObject({ state: 'completed' })
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 15, retryCount: 0, caseId: run?.caseId })
      expect((await wholeTimeline(store, everyone, run!.case)).filter(({ key }) => key === 'end')).toHaveLength(1)
      expect(await store.alerts.pending(tenant.scope, noon + 9_000, 9)).toEqual([])
      expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
      expect(await store.runs.settle(everyone, 99)).toBe(0)
    },
  )

  /** Leaves an end that was stored before the case, in a process that died then. */
  async function endedWithoutCase({ store, dieAt, collections }: CrashBench) {
    const tenant = newTenant()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(tenant))
    let lost = false
    const died = await dieAt(
      (collection) => !lost || collection === 'journal',
      async (doomed) => {
        const { run, position } = await mustClaim(doomed, showingLater(justStored(claimOf(alert, session), alert)))
        // As if this insert had never reached the server.
        await collections.cases.deleteOne({ _id: run.case })
        lost = true
        await doomed.runs.end(everyone, endOf(run.id, 1, position, parts))
      },
    )
    expect(died).toBe(true)
    const marked = () => collections.journal.countDocuments({ '_id.run': runId(alert.uuid, 1), unsettled: true })
    expect([await marked(), (await alertNow(store, alert.uuid)).status]).toEqual([1, 0])
    return { tenant, session, alert, marked }
  }

  test('a sweep shows nothing of an end whose case is not there, and forgets nothing; the next claim shows it', async () => {
    const { store } = at()
    const { tenant, session, alert, marked } = await endedWithoutCase(at())
    for (let sweeps = 0; sweeps < 2; sweeps += 1) await store.runs.settle(everyone, 99)
    expect([await marked(), (await alertNow(store, alert.uuid)).status]).toEqual([1, 0])
    await store.sessions.close(everyone, session)
    expect(await store.runs.orphans(tenant.scope, 9)).toMatchObject([{ uuid: alert.uuid }])
    expect(await store.runs.claim(everyone, claimOf(alert, await openSession(store)))).toEqual({ kind: 'over' })
    expect([await marked(), (await alertNow(store, alert.uuid)).status]).toEqual([0, 15])
    await consistentCase(store, tenant, alert)
  })

  test.each(deaths(8, 'runs', 'journal', 'counters', 'cases', 'alerts', 'timeline'))(
    'the claim that opens the case of a stored end: %s',
    async (_, survives) => {
      const { store, dieAt } = at()
      const { tenant, session, alert, marked } = await endedWithoutCase(at())
      await store.sessions.close(everyone, session)
      const second = await openSession(store)
      await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claimOf(alert, second)))
      await store.sessions.close(everyone, second)
      await store.runs.settle(everyone, 99)
      expect(await store.runs.claim(everyone, claimOf(alert, await openSession(store)))).toEqual({ kind: 'over' })
      await store.runs.settle(everyone, 99)
      expect([await marked(), (await alertNow(store, alert.uuid)).status]).toEqual([0, 15])
      await consistentCase(store, tenant, alert)
      const [run] = await store.runs.ofAlert(everyone, alert.uuid)
      expect(run).toMatchObject({ state: 'completed' })
      expect((await wholeTimeline(store, everyone, run!.case)).filter(({ key }) => key === 'end')).toHaveLength(1)
      expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
    },
  )

  test('a run whose case could not be opened does not end, until it is claimed again', async () => {
    const { store, dieAt } = at()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(newTenant()))
    const kinds = async () => (await store.journal.read(everyone, runId(alert.uuid, 1))).flatMap(({ records }) => records.map(({ kind }) => kind))
    let away = true
    await dieAt(
      (collection) => !away || collection !== 'cases',
      async (doomed) => {
        const { run, position, opened } = claimedBy(await doomed.runs.claim(everyone, justStored(claimOf(alert, session), alert)))
        await expect(opened).rejects.toMatchObject({ code: 'store_unavailable' })
        await expect(doomed.runs.end(everyone, endOf(run.id, 1, position, parts))).rejects.toMatchObject({ code: 'store_unavailable' })
        expect(await kinds()).toEqual(['claimed'])
        away = false
        const again = await mustClaim(doomed, claimOf(alert, session))
        expect(await doomed.runs.end(everyone, endOf(run.id, again.run.epoch, again.position, parts))).toBe('ended')
      },
    )
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
  })

  test('an end is told only when its case exists, because the case may get another number', async () => {
    const { store, collections } = at()
    const tenant = newTenant()
    await investigated(store, tenant)
    const session = await openSession(store)
    for (const [taken, times] of [
      [true, 0],
      [false, 1],
    ] as const) {
      if (taken) await collections.counters.updateOne({ _id: `case ${tenant.code}` }, { $inc: { last: -1 } })
      const alert = await insertOne(store, newAlert(tenant))
      const claimed = claimedBy(await store.runs.claim(everyone, justStored(claimOf(alert, session), alert)))
      let told = 0
      const ending = store.runs.end(everyone, endOf(claimed.run.id, 1, claimed.position, parts), () => {
        told += 1
      })
      await Promise.allSettled([ending, claimed.opened])
      expect(told).toBe(times)
    }
  })

  test('if the number of its case is taken, the end is shown with another number when the run is claimed again', async () => {
    const { store, collections } = at()
    const tenant = newTenant()
    const { claimed } = await investigated(store, tenant)
    await collections.counters.updateOne({ _id: `case ${tenant.code}` }, { $inc: { last: -1 } })
    const [alert, session] = [await insertOne(store, newAlert(tenant)), await openSession(store)]
    await expect(hasty(store, justStored(claimOf(alert, session), alert))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await store.runs.claim(everyone, claimOf(alert, session))).toEqual({ kind: 'over' })
    const now = await alertNow(store, alert.uuid)
    expect(now).toMatchObject({ status: 15, caseId: `${tenant.code}-2` })
    expect(now.caseId).not.toBe(claimed.run.caseId)
  })

  test('a run really dies in each of these ways', async () => {
    const { store, dieAt } = at()
    for (const [name, survives] of deaths(8, 'runs', 'journal', 'counters', 'cases', 'alerts', 'timeline')) {
      const [alert, session] = [await insertOne(store, newAlert(newTenant())), await openSession(store)]
      const died = await dieAt(survives, (doomed) => hasty(doomed, justStored(claimOf(alert, session), alert)))
      expect([name, died]).toEqual([name, true])
    }
  })
}
