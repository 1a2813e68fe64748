import { expect, test } from 'vitest'
import type { Alert, SessionId } from '../../../../runtime/domain/index.ts'
import type { RunClaim } from '../../../../runtime/storage/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  claimOf,
  endOf,
  everyone,
  insertOne,
  justStored,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  noteOf,
  openSession,
  showingLater,
  sleepOf,
} from '../fixtures.ts'
import { type At, deaths } from './bench.ts'
import { consistentCase } from './consistent.ts'

/** Claims whose alerts may show them later, as workers claim. */
const claims: readonly (readonly [string, (alert: Alert, session: SessionId) => RunClaim])[] = [
  ['new alert', (alert, session) => showingLater(claimOf(alert, session))],
  ['alert that was just stored', (alert, session) => showingLater(justStored(claimOf(alert, session), alert))],
]

export function shownLaterCrashes(at: At): void {
  const throughEnd = deaths(9, 'runs', 'journal', 'counters', 'cases', 'alerts', 'timeline')
  const whole = claims.flatMap(([what, claim]) => throughEnd.map(([how, survives]) => [what, how, claim, survives] as const))

  test.each(whole)('a run that ends before its %s shows the claim: %s', async (_what, _how, claim, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(tenant))
    const entries = [noteOf('end', noon + 50)]
    await dieAt(survives, async (doomed) => {
      const { run, position } = await mustClaim(doomed, claim(alert, session))
      await doomed.runs.end(everyone, endOf(run.id, run.epoch, position, { entries }))
    })
    await store.sessions.close(everyone, session)
    // What the alert shows is the claim with its case, the end, or nothing of both.
    const { status, case: shown, investigator } = await alertNow(store, alert.uuid)
    expect([status >= 10, shown !== null, investigator !== null]).toEqual(Array(3).fill(status >= 10))

    await store.runs.settle(everyone, 99)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') {
      const end = endOf(again.run.id, again.run.epoch, again.position, { entries })
      expect(await store.runs.end(everyone, end)).toBe('ended')
    } else expect(again).toEqual({ kind: 'over' })
    await store.runs.settle(everyone, 99)
    await consistentCase(store, tenant, alert)
    const [run] = await store.runs.ofAlert(everyone, alert.uuid)
    expect(run).toMatchObject({ state: 'completed' })
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 15, retryCount: 0 })
    expect((await wholeTimeline(store, everyone, run!.case)).filter(({ key }) => key === 'end')).toHaveLength(1)
    expect(await store.alerts.pending(tenant.scope, noon + 9_000, 9)).toEqual([])
    expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
    expect(await store.runs.settle(everyone, 99)).toBe(0)
  })

  const throughSleep = deaths(7, 'runs', 'journal', 'cases', 'alerts')
  const asleep = claims.flatMap(([what, claim]) => throughSleep.map(([how, survives]) => [what, how, claim, survives] as const))

  test.each(asleep)('a run that sleeps before its %s shows the claim: %s', async (_what, _how, claim, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(tenant))
    await dieAt(survives, async (doomed) => {
      const { run, position } = await mustClaim(doomed, claim(alert, session))
      await doomed.runs.sleep(everyone, sleepOf(run.id, run.epoch, position, noon + 500))
    })
    await store.sessions.close(everyone, session)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') {
      expect(await store.runs.sleep(everyone, sleepOf(again.run.id, again.run.epoch, again.position, noon + 500))).toBe('slept')
    } else expect(again).toEqual({ kind: 'asleep' })
    // It waits for nothing but its time: the alert shows it, and no sweep hands the alert over.
    await consistentCase(store, tenant, alert)
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 10 })
    expect(await store.alerts.pending(tenant.scope, noon + 9_000, 9)).toEqual([])
    expect(await store.runs.due(tenant.scope, noon + 500, 9)).toMatchObject([{ uuid: alert.uuid }])
  })

  test('a claim that was to be shown changes nothing once another process has taken over, ended the run and begun another attempt', async () => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(tenant))
    await dieAt(
      () => true,
      async (slow) => {
        await mustClaim(slow, showingLater(claimOf(alert, session)))
        expect((await alertNow(store, alert.uuid)).status).toBe(0)
        await store.sessions.close(everyone, session)
        const { run, position } = await mustClaim(store, claimOf(alert, await openSession(store)))
        await store.runs.end(everyone, endOf(run.id, run.epoch, position, { state: 'failed' }))
        await store.alerts.retry(everyone, alert.uuid, noon + 100)
      },
    )
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 5, retryCount: 1 })
    expect(await store.alerts.pending(tenant.scope, noon + 9_000, 9)).toMatchObject([{ uuid: alert.uuid, retryCount: 1 }])
  })
}
