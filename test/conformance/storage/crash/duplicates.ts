import { expect, test } from 'vitest'
import type { Alert, SessionId } from '../../../../runtime/domain/index.ts'
import type { ClaimResult } from '../../../../runtime/storage/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import { alertNow, claimOf, endOf, everyone, insertOne, mustClaim, newAlert, newTenant, noon, openSession } from '../fixtures.ts'
import { type Aggregates, type At, deaths } from './bench.ts'
import { consistentCase } from './consistent.ts'

export function duplicateCrashes(at: At): void {
  test.each(deaths(9, 'fingerprints', 'runs', 'journal', 'counters', 'cases', 'timeline', 'alerts'))(
    'claims of an alert and of its duplicate: %s',
    async (_, survives) => {
      const { store, dieAt } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const claim = (alert: Alert, who: SessionId) => ({ ...claimOf(alert, who), fingerprint: { digest: 'd', within: 1_000 } })
      const alerts = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      // One process makes both claims, and the writes of both are counted together.
      await dieAt(survives, async (doomed) => {
        const claims = []
        for (const alert of alerts) claims.push(await doomed.runs.claim(everyone, claim(alert, session)).catch((error: unknown) => error))
        const fault = claims.find((result) => result instanceof Error)
        if (fault) throw fault
      })
      await store.sessions.close(everyone, session)
      const successor = await openSession(store)
      // The sweeper hands over waiting alerts until none waits, the later alert first.
      for (let round = 0; round < 3; round += 1) for (const alert of alerts.toReversed()) await store.runs.claim(everyone, claim(alert, successor))
      const now = await Promise.all(alerts.map(({ uuid }) => alertNow(store, uuid)))
      const [first, duplicate] = now.toSorted((a, b) => a.status - b.status)
      expect(first).toMatchObject({ status: 10, duplicateOf: null })
      expect(duplicate).toMatchObject({ status: 15, case: first?.case, caseId: first?.caseId })
      expect(duplicate?.duplicateOf).toEqual({ alertId: first?.alertId, alertUuid: first?.uuid })
      expect((await store.runs.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })).items).toHaveLength(1)
      await consistentCase(store, tenant, first!)
      expect(await store.alerts.repeats(everyone, first!.uuid)).toMatchObject({ count: 1 })
      const kinds = (await wholeTimeline(store, everyone, first!.case!)).map(({ body }) => body.kind).sort()
      expect(kinds).toEqual(['opened', 'repeated'])
      expect(await store.alerts.pending(tenant.scope, noon + 99_999, 9)).toEqual([])
    },
  )

  test.each(deaths(4, 'runs', 'journal', 'cases', 'alerts'))('claim of a duplicate that is retried: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const fingerprint = { digest: 'd', within: 1_000 }
    const [first, second] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
    await mustClaim(store, { ...claimOf(first, session), fingerprint })
    expect(await store.runs.claim(everyone, { ...claimOf(second, session), fingerprint })).toEqual({ kind: 'duplicate' })
    await store.alerts.retry(everyone, second.uuid, noon + 9)
    await dieAt(survives, (doomed) => doomed.runs.claim(everyone, { ...claimOf(second, session, 2), fingerprint }))
    await store.sessions.close(everyone, session)
    await mustClaim(store, { ...claimOf(second, await openSession(store), 2), fingerprint })
    const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
    expect(items).toHaveLength(1)
    expect(items[0]?.alerts.map(({ alertUuid }) => alertUuid)).toEqual([first.uuid, second.uuid])
    expect(await alertNow(store, second.uuid)).toMatchObject({ status: 10, case: items[0]?.uuid, caseId: items[0]?.caseId, duplicateOf: null })
    const kinds = (await wholeTimeline(store, everyone, items[0]!.uuid)).map(({ body }) => body.kind).sort()
    expect(kinds).toEqual(['joined', 'opened', 'repeated'])
  })

  test.each([
    ['before it has decided, the alert is its duplicate', 'fingerprints', ['duplicate', 'over']],
    ['after it has decided, the alert is investigated', 'alerts', ['claimed', 'held']],
  ] as const)(
    'of two claims of one alert, one finds that it is a duplicate, and the first alert fails. If the other stalls %s',
    async (_, stalls, kinds) => {
      const { store, stallAfterUpdate, stallBeforeUpdate } = at()
      const tenant = newTenant()
      const fingerprint = { digest: 'd', within: 1_000 }
      const [first, second] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      const { run, position } = await mustClaim(store, { ...claimOf(first, await openSession(store)), fingerprint })
      const sessions = [await openSession(store), await openSession(store)] as const
      const claimBy = (who: SessionId) => (by: Aggregates) => by.runs.claim(everyone, { ...claimOf(second, who), fingerprint })
      const [begun, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let other: Promise<ClaimResult> | null = null
      // The slow one has read that the first alert is investigated. Then that fails, and the other claims, but stalls until the slow one is done.
      const slow = stallBeforeUpdate(
        'alerts',
        async () => {
          await store.runs.end(everyone, endOf(run.id, 1, position, { state: 'failed' }))
          const stalled = async (): Promise<void> => {
            begun.resolve()
            await decided.promise
          }
          other = stallAfterUpdate(stalls, stalled, claimBy(sessions[1]))
          await begun.promise
        },
        claimBy(sessions[0]),
      )
      const result = await slow.finally(decided.resolve)
      expect([result.kind, (await other!).kind]).toEqual(kinds)
      const now = await alertNow(store, second.uuid)
      const runs = await store.runs.ofAlert(everyone, second.uuid)
      const duplicate = { alertId: first.alertId, alertUuid: first.uuid }
      if (result.kind === 'duplicate') expect([now, runs]).toMatchObject([{ status: 15, duplicateOf: duplicate }, []])
      else expect([now, runs]).toMatchObject([{ status: 10, duplicateOf: null }, [{ state: 'running', case: now.case }]])
    },
  )
}
