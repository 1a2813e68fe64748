import { describe, expect, test } from 'vitest'
import { type AlertUuid, type PrincipalId, statusesBefore } from '../../../../runtime/domain/index.ts'
import type { InsertedAlert, Store } from '../../../../runtime/storage/index.ts'
import {
  alertNow,
  claimOf,
  ended,
  everyone,
  insertOne,
  investigated,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  numbersTo,
  openSession,
  rising,
  type Tenant,
  uuid,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

const sequences = (inserted: readonly InsertedAlert[]): number[] => inserted.map(({ alert }) => alert.sequence)

/**
 * Inserts batches of several sizes at the same time. The first store takes those with an even index, the
 * other store the rest.
 */
function insertBatches(stores: readonly [Store, Store], tenant: Tenant, batches: number): Promise<readonly (readonly InsertedAlert[])[]> {
  return Promise.all(
    numbersTo(batches).map((size, index) => {
      const alerts = numbersTo((size % 7) + 1).map(() => newAlert(tenant))
      return (index % 2 === 0 ? stores[0] : stores[1]).alerts.insert(everyone, alerts)
    }),
  )
}

export function alertCases(at: At): void {
  describe('insert', () => {
    test('keeps what was sent, and adds the number, the id and the first status', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alert = newAlert(tenant, {
        provider: 'Siem',
        type: '  PHISHING Reported ',
        content: '{"$a.b":"\u0000 \u{1f4e7} \\" ünï"}',
        createdAtSource: 12,
        idempotency: { key: 'k', digest: 'd' },
      })
      const { tokens: _, ...sent } = alert
      const expected = {
        ...sent,
        sequence: 1,
        alertId: `${tenant.code}-SIEM-1`,
        status: 0,
        retryCount: 0,
        modifiedAt: alert.createdAt,
        investigator: null,
        case: null,
        caseId: null,
        completedAt: null,
        duplicateOf: null,
      }
      expect(await store.alerts.insert(everyone, [alert])).toEqual([{ alert: expected, fresh: true }])
      expect(await store.alerts.get(everyone, [alert.uuid])).toEqual([expected])
      expect(await store.alerts.byAlertId(everyone, expected.alertId)).toEqual(expected)
    })

    test('stores an alert without a type', async () => {
      const { store } = at()
      const alert = newAlert(newTenant(), { type: null })
      await store.alerts.insert(everyone, [alert])
      expect(await alertNow(store, alert.uuid)).toMatchObject({ type: null, status: 0 })
    })

    test('an empty batch inserts nothing', async () => {
      expect(await at().store.alerts.insert(everyone, [])).toEqual([])
    })

    test('numbers a batch in its order', async () => {
      const tenant = newTenant()
      const batch = numbersTo(150).map(() => newAlert(tenant))
      const inserted = await at().store.alerts.insert(everyone, batch)
      expect(inserted.map(({ alert }) => alert.uuid)).toEqual(batch.map(({ uuid }) => uuid))
      expect(sequences(inserted)).toEqual(numbersTo(150))
    })

    test('concurrent batches get unique numbers without a gap', async () => {
      const { store } = at()
      const inserted = (await insertBatches([store, store], newTenant(), 60)).flat()
      expect(rising(sequences(inserted))).toEqual(numbersTo(inserted.length))
    })

    test('concurrent batches of two processes get unique numbers without a gap', async ({ skip }) => {
      const { store } = at()
      const other = await at().second()
      if (!other) return skip('one process owns the data')
      const inserted = (await insertBatches([store, other], newTenant(), 60)).flat()
      expect(rising(sequences(inserted))).toEqual(numbersTo(inserted.length))
    })

    test('an alert that is inserted after another was acknowledged gets the higher number, whatever else happens', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const tenant = newTenant()
      const noise = insertBatches([store, other], tenant, 40)
      const chain: number[] = []
      for (const index of numbersTo(12)) {
        const idempotency = index % 3 === 0 ? { key: `chain ${index}`, digest: 'd' } : null
        chain.push((await insertOne(index % 2 === 0 ? store : other, newAlert(tenant, { idempotency }))).sequence)
      }
      await noise
      expect(chain).toEqual(rising(chain))
      expect(new Set(chain).size).toBe(chain.length)
    })

    test('each rendered prefix has its own numbers; equal prefixes share them', async () => {
      const { store } = at()
      const tenant = newTenant()
      const inner: Tenant = { ...newTenant(), code: `${tenant.code}-B` }
      const inserted = await store.alerts.insert(everyone, [
        newAlert(tenant, { provider: 'siem' }),
        newAlert(tenant, { provider: 'SIEM' }),
        newAlert(tenant, { provider: 'b-c' }),
        newAlert(inner, { provider: 'c' }),
      ])
      expect(inserted.map(({ alert }) => alert.alertId)).toEqual([
        `${tenant.code}-SIEM-1`,
        `${tenant.code}-SIEM-2`,
        `${tenant.code}-B-C-1`,
        `${tenant.code}-B-C-2`,
      ])
    })

    test('acknowledged alerts survive a restart, and numbers continue', async () => {
      const tenant = newTenant()
      const before = await at().store.alerts.insert(everyone, [newAlert(tenant), newAlert(tenant)])
      await at().reopen()
      const { store } = at()
      for (const { alert } of before) expect(await alertNow(store, alert.uuid)).toEqual(alert)
      expect((await insertOne(store, newAlert(tenant))).sequence).toBe(3)
    })

    test('a batch with one alert out of scope is refused as a whole and takes no number', async () => {
      const { store } = at()
      const [mine, theirs] = [newTenant(), newTenant()]
      const good = newAlert(mine)
      await expect(store.alerts.insert(mine.scope, [good, newAlert(theirs)])).rejects.toMatchObject({ code: 'organization_forbidden' })
      expect(await store.alerts.get(everyone, [good.uuid])).toEqual([])
      expect((await insertOne(store, newAlert(mine))).sequence).toBe(1)
    })
  })

  describe('a repeat (same principal and idempotency key)', () => {
    const keyed = (tenant: Tenant, key: string, createdBy?: PrincipalId) =>
      newAlert(tenant, { idempotency: { key, digest: `digest of ${key}` }, ...(createdBy && { createdBy }) })

    test('in the same batch returns the first alert and takes no number', async () => {
      const { store } = at()
      const tenant = newTenant()
      const [first, second] = [keyed(tenant, tenant.code), keyed(tenant, tenant.code)]
      const inserted = await store.alerts.insert(everyone, [first, newAlert(tenant), second, newAlert(tenant)])
      expect(inserted.map(({ fresh }) => fresh)).toEqual([true, true, false, true])
      expect(inserted[2]?.alert).toEqual(inserted[0]?.alert)
      expect(sequences(inserted)).toEqual([1, 2, 1, 3])
    })

    test('that comes later returns the alert as it is now', async () => {
      const { store } = at()
      const tenant = newTenant()
      const first = await insertOne(store, keyed(tenant, tenant.code))
      await store.alerts.submit(everyone, [first.uuid], noon + 1)
      const [repeat] = await store.alerts.insert(everyone, [keyed(tenant, tenant.code)])
      expect(repeat).toMatchObject({ fresh: false, alert: { uuid: first.uuid, status: 5, idempotency: { digest: `digest of ${tenant.code}` } } })
      expect((await insertOne(store, newAlert(tenant))).sequence).toBe(2)
    })

    test('that comes at the same time returns the alert that won, and leaves no gap', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const tenant = newTenant()
      const answers = await Promise.all(
        numbersTo(60).map((index) => {
          const key = `${tenant.code} ${index % 6}`
          return (index % 2 === 0 ? store : other).alerts.insert(everyone, [keyed(tenant, key), newAlert(tenant)])
        }),
      )
      const keyedOnes = answers.map(([first]) => first).filter((first) => first !== undefined)
      const fresh = keyedOnes.filter((answer) => answer.fresh)
      expect(fresh).toHaveLength(6)
      for (const { alert } of keyedOnes) {
        const winner = fresh.find((one) => one.alert.idempotency?.key === alert.idempotency?.key)
        expect([alert.uuid, alert.alertId]).toEqual([winner?.alert.uuid, winner?.alert.alertId])
      }
      const numbers = [...fresh.map(({ alert }) => alert.sequence), ...answers.map(([, second]) => second?.alert.sequence ?? 0)]
      expect(rising(numbers)).toEqual(numbersTo(66))
    })

    test("another principal's key is another key", async () => {
      const { store } = at()
      const tenant = newTenant()
      await insertOne(store, keyed(tenant, tenant.code))
      const [other] = await store.alerts.insert(everyone, [keyed(tenant, tenant.code, uuid<PrincipalId>())])
      expect(other).toMatchObject({ fresh: true, alert: { sequence: 2 } })
    })
  })

  test('get answers in the order of the ids, and skips unknown ones', async () => {
    const { store } = at()
    const tenant = newTenant()
    const [a, b] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
    expect(await store.alerts.get(everyone, [b.uuid, uuid<AlertUuid>(), a.uuid])).toEqual([b, a])
    expect(await store.alerts.byAlertId(everyone, `${a.alertId}0`)).toBeNull()
  })

  describe('submit', () => {
    test('changes 0 to 5, and only records the time for an alert at 5', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alert = await insertOne(store, newAlert(tenant))
      await store.alerts.submit(everyone, [alert.uuid, uuid<AlertUuid>()], noon + 5)
      expect(await alertNow(store, alert.uuid)).toEqual({ ...alert, status: 5, modifiedAt: noon + 5 })
      await store.alerts.submit(everyone, [alert.uuid], noon + 6)
      expect(await alertNow(store, alert.uuid)).toEqual({ ...alert, status: 5, modifiedAt: noon + 5 })
    })

    test('changes no alert out of scope', async () => {
      const { store } = at()
      const [own, other] = [newTenant(), newTenant()]
      const [here, there] = [await insertOne(store, newAlert(own)), await insertOne(store, newAlert(other))]
      await store.alerts.submit(own.scope, [there.uuid, here.uuid], noon + 5)
      expect(await alertNow(store, there.uuid)).toEqual(there)
      expect(await alertNow(store, here.uuid)).toMatchObject({ status: 5 })
    })

    test('does not change an alert that a run has taken', async () => {
      const { store } = at()
      const tenant = newTenant()
      const running = await investigated(store, tenant)
      const over = await ended(store, tenant)
      for (const { uuid: id } of [running.alert, over.alert]) {
        const before = await alertNow(store, id)
        await store.alerts.submit(everyone, [id], noon + 500)
        expect(await alertNow(store, id)).toEqual(before)
      }
      expect(await store.alerts.pending(tenant.scope, noon + 1_000, 9)).toEqual([])
    })
  })

  describe('retry', () => {
    test.each(['completed', 'failed'] as const)('takes an alert whose run has %s back to 5', async (state) => {
      const { store } = at()
      const { alert } = await ended(store, newTenant(), state)
      const before = await alertNow(store, alert.uuid)
      const result = await store.alerts.retry(everyone, alert.uuid, noon + 200)
      const expected = { ...before, status: 5, retryCount: 1, modifiedAt: noon + 200, completedAt: null }
      expect(result).toEqual({ retried: true, alert: expected })
      expect(await alertNow(store, alert.uuid)).toEqual(expected)
    })

    test('does not change an alert in any other status', async () => {
      const { store } = at()
      const tenant = newTenant()
      const created = await insertOne(store, newAlert(tenant))
      const submitted = await insertOne(store, newAlert(tenant))
      await store.alerts.submit(everyone, [submitted.uuid], noon + 1)
      const running = (await investigated(store, tenant)).alert
      for (const { uuid: id } of [created, submitted, running]) {
        const before = await alertNow(store, id)
        expect(await store.alerts.retry(everyone, id, noon + 200)).toEqual({ retried: false, alert: before })
      }
      expect(statusesBefore(5)).toEqual([0, 15, 20])
    })

    test('succeeds once if several callers ask at once', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const { alert } = await ended(store, newTenant())
      const results = await Promise.all(numbersTo(8).map((n) => (n % 2 ? store : other).alerts.retry(everyone, alert.uuid, noon + 200)))
      expect(results.filter((result) => result?.retried)).toHaveLength(1)
      expect((await alertNow(store, alert.uuid)).retryCount).toBe(1)
    })

    test('of an unknown alert is null', async () => {
      expect(await at().store.alerts.retry(everyone, uuid<AlertUuid>(), noon)).toBeNull()
    })
  })

  describe('pending', () => {
    test('returns alerts created before the time, oldest first, at most as many as requested', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alerts = await store.alerts.insert(
        everyone,
        [30, 10, 20, 40].map((later) => newAlert(tenant, { createdAt: noon + later, type: ' Phishing ' })),
      )
      const [third, first, second] = alerts.map(({ alert }) => alert.uuid)
      const pending = await store.alerts.pending(tenant.scope, noon + 40, 9)
      expect(pending).toEqual([first, second, third].map((id) => ({ uuid: id, organization: tenant.id, type: 'phishing', retryCount: 0, deaths: 0 })))
      expect(await store.alerts.pending(tenant.scope, noon + 40, 2)).toEqual(pending.slice(0, 2))
    })

    test('uses the latest handover of an alert at 5', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alert = await insertOne(store, newAlert(tenant))
      await store.alerts.submit(everyone, [alert.uuid], noon + 100)
      expect(await store.alerts.pending(tenant.scope, noon + 100, 9)).toEqual([])
      expect(await store.alerts.pending(tenant.scope, noon + 101, 9)).toHaveLength(1)
      await store.alerts.submit(everyone, [alert.uuid], noon + 200)
      expect(await store.alerts.pending(tenant.scope, noon + 200, 9)).toEqual([])
      expect(await store.alerts.pending(tenant.scope, noon + 201, 9)).toHaveLength(1)
    })

    test('a handover that is recorded late does not take the place of a later one', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alert = await insertOne(store, newAlert(tenant))
      await store.alerts.submit(everyone, [alert.uuid], noon + 200)
      await store.alerts.submit(everyone, [alert.uuid], noon + 100)
      expect(await store.alerts.pending(tenant.scope, noon + 200, 9)).toEqual([])
      expect(await store.alerts.pending(tenant.scope, noon + 201, 9)).toHaveLength(1)
    })

    test('leaves out alerts without a type and alerts that a run has taken', async () => {
      const { store } = at()
      const tenant = newTenant()
      await insertOne(store, newAlert(tenant, { type: null }))
      await investigated(store, tenant)
      await ended(store, tenant)
      expect(await store.alerts.pending(tenant.scope, noon + 1_000, 9)).toEqual([])
    })

    test('returns a retried alert until its next run has taken it', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert } = await ended(store, tenant)
      await store.alerts.retry(everyone, alert.uuid, noon + 200)
      expect(await store.alerts.pending(tenant.scope, noon + 201, 9)).toMatchObject([{ uuid: alert.uuid, retryCount: 1 }])
      await mustClaim(store, claimOf(alert, await openSession(store), 2))
      expect(await store.alerts.pending(tenant.scope, noon + 201, 9)).toEqual([])
    })
  })

  test('repair has nothing to do if nothing crashed', async () => {
    const { store } = at()
    const tenant = newTenant()
    await insertOne(store, newAlert(tenant, { idempotency: { key: tenant.code, digest: 'd' } }))
    expect(await store.alerts.repair(everyone, noon + 1_000)).toBe(0)
  })
}
