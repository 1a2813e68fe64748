import { expect, test } from 'vitest'
import type { Alert, NewAlert } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { everyone, insertOne, newAlert, newTenant, noon, type Tenant } from '../fixtures.ts'
import { type At, deaths } from './bench.ts'

async function allOf(store: Store, tenant: Tenant): Promise<readonly Alert[]> {
  return (await store.alerts.list(everyone, { organizations: [tenant.id], sort: 'created_at', after: null, limit: 500, preview: 99 })).items
}

export function alertCrashes(at: At): void {
  test.each(deaths(6, 'alerts', 'alertWords', 'counters'))('insert: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const content = `needle${tenant.code}`
    const keyed = (key: string): NewAlert => newAlert(tenant, { content, idempotency: { key: `${tenant.code} ${key}`, digest: 'd' } })
    await insertOne(store, newAlert(tenant, { content }))
    await dieAt(survives, (doomed) => doomed.alerts.insert(everyone, [keyed('a'), newAlert(tenant, { content }), keyed('b')]))

    // Nobody sees an alert without a number, and every visible alert is complete.
    for (const { alertId, sequence, uuid } of await allOf(store, tenant)) {
      expect(alertId).toBe(`${tenant.code}-SIEM-${sequence}`)
      expect(await store.alerts.byAlertId(everyone, alertId)).toMatchObject({ uuid })
    }
    await store.alerts.repair(everyone, noon + 1)
    // The source got no answer, so it sends again.
    const again = await store.alerts.insert(everyone, [keyed('a'), newAlert(tenant, { content }), keyed('b')])
    const all = await allOf(store, tenant)
    expect(all.filter(({ idempotency }) => idempotency?.key.endsWith(' a'))).toHaveLength(1)
    expect(all.filter(({ idempotency }) => idempotency?.key.endsWith(' b'))).toHaveLength(1)
    expect(new Set(all.map(({ sequence }) => sequence)).size).toBe(all.length)
    for (const { alert } of again) expect(all).toContainEqual(alert)
    const next = await insertOne(store, newAlert(tenant, { content }))
    expect(next.sequence).toBeGreaterThan(Math.max(...all.map(({ sequence }) => sequence)))
    const found = await store.alerts.list(everyone, { sort: 'created_at', after: null, limit: 500, preview: 9, words: [content.toLowerCase()] })
    expect(found.items).toHaveLength(all.length + 1)
    expect(await store.alerts.pending(tenant.scope, noon + 1, 99)).toHaveLength(all.length + 1)
  })

  test('insert: a repeat whose first alert died without a number does not wait for the sweeper', async () => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const alert = (): NewAlert => newAlert(tenant, { idempotency: { key: tenant.code, digest: 'd' } })
    const first = alert()
    expect(
      await dieAt(
        (collection) => collection !== 'counters',
        (doomed) => doomed.alerts.insert(everyone, [first]),
      ),
    ).toBe(true)
    expect(await store.alerts.get(everyone, [first.uuid])).toEqual([])
    const [answer] = await store.alerts.insert(everyone, [alert()])
    expect(answer).toMatchObject({ fresh: false, alert: { uuid: first.uuid, sequence: 1 } })
  })

  test('insert: repair numbers alerts that are old enough, once', async () => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const first = newAlert(tenant, { idempotency: { key: tenant.code, digest: 'd' } })
    await dieAt(
      (collection) => collection !== 'counters',
      (doomed) => doomed.alerts.insert(everyone, [first]),
    )
    expect(await store.alerts.repair(tenant.scope, noon)).toBe(0)
    expect(await store.alerts.repair(newTenant().scope, noon + 1)).toBe(0)
    const done = await Promise.all([store.alerts.repair(tenant.scope, noon + 1), store.alerts.repair(tenant.scope, noon + 1)])
    expect(done[0] + done[1]).toBe(1)
    expect(await store.alerts.repair(tenant.scope, noon + 1)).toBe(0)
    expect(await store.alerts.pending(tenant.scope, noon + 1, 9)).toMatchObject([{ uuid: first.uuid }])
  })
}
