import { expect, test } from 'vitest'
import { type Alert, type CaseJoin, mostAlertsOfCase } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  claimOf,
  endOf,
  everyone,
  insertOne,
  joining,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  noteOf,
  numbersTo,
  openSession,
  type Tenant,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

const day = 86_400_000

const stolen: CaseJoin = { key: 'stolen:ada', within: day }

/** Returns the case that a new alert of the tenant gets at a given time. */
async function caseFor(store: Store, tenant: Tenant, at: number, join = stolen) {
  const alert = await insertOne(store, newAlert(tenant))
  const { run } = await mustClaim(store, joining(claimOf(alert, await openSession(store), 1, at), join))
  return { alert, run, caseId: run.caseId }
}

export function joinCases(at: At): void {
  test('a second alert with the same key joins the open case and keeps its own record', async () => {
    const { store } = at()
    const tenant = newTenant()
    const first = await caseFor(store, tenant, noon)
    const second = await caseFor(store, tenant, noon + 1_000)
    expect(second.run).toMatchObject({ case: first.run.case, caseId: first.caseId })
    expect(await alertNow(store, second.alert.uuid)).toMatchObject({ status: 10, case: first.run.case, caseId: first.caseId })
    const mine = ({ alert }: { readonly alert: Alert }) => ({ alertId: alert.alertId, alertUuid: alert.uuid })
    expect(await store.cases.get(everyone, first.run.case)).toMatchObject({
      alerts: [mine(first), mine(second)],
      title: 'Somebody reported a mail',
      createdAt: noon,
      modifiedAt: noon + 1_000,
    })
    const timeline = await wholeTimeline(store, everyone, first.run.case)
    expect(timeline.map(({ body, actor, at: when }) => [body.kind, 'run' in actor && actor.run, when])).toEqual([
      ['opened', first.run.id, noon],
      ['joined', second.run.id, noon + 1_000],
    ])
    expect((await store.runs.get(everyone, second.run.id))?.case).toBe(first.run.case)
    await store.runs.end(everyone, endOf(second.run.id, 1, 1, { entries: [noteOf('mine')] }))
    expect((await wholeTimeline(store, everyone, first.run.case)).map(({ key }) => key)).toContain('mine')
    expect([(await alertNow(store, second.alert.uuid)).status, (await alertNow(store, first.alert.uuid)).status]).toEqual([15, 10])
  })

  test('a full case takes no more alerts; the next case does', async () => {
    const { store } = at()
    const tenant = newTenant()
    const first = await caseFor(store, tenant, noon)
    for (let count = 1; count < mostAlertsOfCase; count += 20)
      await Promise.all(numbersTo(Math.min(20, mostAlertsOfCase - count)).map(() => caseFor(store, tenant, noon + 1_000)))
    expect((await store.cases.get(everyone, first.run.case))?.alerts).toHaveLength(mostAlertsOfCase)
    const next = await caseFor(store, tenant, noon + 2_000)
    expect(next.run.case).not.toBe(first.run.case)
    expect((await caseFor(store, tenant, noon + 3_000)).run.case).toBe(next.run.case)
    expect((await store.cases.get(everyone, first.run.case))?.alerts).toHaveLength(mostAlertsOfCase)
  })

  test('an alert with another key, another organization, or no key gets its own case', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { caseId } = await caseFor(store, tenant, noon)
    expect((await caseFor(store, tenant, noon + 1, { key: 'stolen:eve', within: day })).caseId).not.toBe(caseId)
    expect((await caseFor(store, newTenant(), noon + 1)).caseId).not.toBe(caseId)
    const alert = await insertOne(store, newAlert(tenant))
    expect((await mustClaim(store, claimOf(alert, await openSession(store)))).run.caseId).not.toBe(caseId)
  })

  test('a case that changed too long ago takes no more alerts; the next case does', async () => {
    const { store } = at()
    const tenant = newTenant()
    const first = await caseFor(store, tenant, noon)
    await store.cases.record(everyone, first.run.case, { severity: 'high' }, noteOf('a change', noon + day))
    expect((await caseFor(store, tenant, noon + 2 * day)).caseId).toBe(first.caseId)
    const later = await caseFor(store, tenant, noon + 3 * day + 1)
    expect(later.caseId).not.toBe(first.caseId)
    expect((await caseFor(store, tenant, noon + 3 * day + 2)).caseId).toBe(later.caseId)
  })

  test('a closed case takes no more alerts', async () => {
    const { store } = at()
    const tenant = newTenant()
    const first = await caseFor(store, tenant, noon)
    await store.cases.record(everyone, first.run.case, { status: 'closed' }, noteOf('closed', noon + 1))
    const second = await caseFor(store, tenant, noon + 2)
    expect(second.caseId).not.toBe(first.caseId)
    expect((await caseFor(store, tenant, noon + 3)).caseId).toBe(second.caseId)
  })

  test('a case that was reopened takes alerts again', async () => {
    const { store } = at()
    const tenant = newTenant()
    const first = await caseFor(store, tenant, noon)
    await store.cases.record(everyone, first.run.case, { status: 'closed' }, noteOf('closed', noon + 1))
    const second = await caseFor(store, tenant, noon + 2)
    await store.cases.record(everyone, first.run.case, { status: 'in_progress' }, noteOf('reopened', noon + 3))
    await store.cases.record(everyone, second.run.case, { status: 'closed' }, noteOf('closed again', noon + 4))
    expect((await caseFor(store, tenant, noon + 5)).caseId).toBe(first.caseId)
  })

  test('of several open cases, the one that changed last takes the alert, and the newest if they changed at once', async () => {
    const { store } = at()
    const tenant = newTenant()
    const first = await caseFor(store, tenant, noon)
    await store.cases.record(everyone, first.run.case, { status: 'closed' }, noteOf('closed', noon + 1))
    const second = await caseFor(store, tenant, noon + 2)
    await store.cases.record(everyone, first.run.case, { status: 'in_progress' }, noteOf('reopened', noon + 2))
    expect((await caseFor(store, tenant, noon + 2)).caseId).toBe(second.caseId)
    await store.cases.record(everyone, first.run.case, { severity: 'high' }, noteOf('a change', noon + 3))
    expect((await caseFor(store, tenant, noon + 4)).caseId).toBe(first.caseId)
  })

  test('after a case of several days ago changed again, its alerts come to it, and not to a new case', async () => {
    const { store } = at()
    const tenant = newTenant()
    const first = await caseFor(store, tenant, noon)
    const second = await caseFor(store, tenant, noon + 2 * day)
    await store.cases.record(everyone, first.run.case, { severity: 'high' }, noteOf('a change', noon + 3 * day))
    await store.cases.record(everyone, second.run.case, { status: 'closed' }, noteOf('closed', noon + 3 * day))
    expect((await caseFor(store, tenant, noon + 3 * day + 1)).caseId).toBe(first.caseId)
  })

  test('a retry continues in the case that its alert joined', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { caseId } = await caseFor(store, tenant, noon)
    const second = await caseFor(store, tenant, noon + 1)
    await store.runs.end(everyone, endOf(second.run.id, 1, 1))
    await store.alerts.retry(everyone, second.alert.uuid, noon + 3 * day)
    const claim = claimOf(second.alert, await openSession(store), 2, noon + 3 * day)
    const retried = await mustClaim(store, joining(claim, stolen))
    expect(retried.run.caseId).toBe(caseId)
    expect((await store.cases.get(everyone, retried.run.case))?.alerts).toHaveLength(2)
  })

  test('however many alerts come at once, there is one case', async () => {
    const { store } = at()
    const other = (await at().second()) ?? store
    const tenant = newTenant()
    const session = await openSession(store)
    const inserted = await store.alerts.insert(
      everyone,
      numbersTo(24).map(() => newAlert(tenant)),
    )
    const claims = await Promise.all(
      inserted.map(({ alert }, index) => (index % 2 ? store : other).runs.claim(everyone, joining(claimOf(alert, session, 1, noon + index), stolen))),
    )
    expect(new Set(claims.map((claim) => claim.kind === 'claimed' && claim.run.caseId)).size).toBe(1)
    const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 99 })
    expect(items).toHaveLength(1)
    expect(new Set(items[0]?.alerts.map(({ alertUuid }) => alertUuid))).toEqual(new Set(inserted.map(({ alert }) => alert.uuid)))
    const timeline = await wholeTimeline(store, everyone, items[0]!.uuid)
    expect(timeline.filter(({ body }) => body.kind === 'joined')).toHaveLength(23)
    for (const { alert } of inserted) expect((await alertNow(store, alert.uuid)).caseId).toBe(items[0]?.caseId)
  })
}
