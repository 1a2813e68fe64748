import { expect, test } from 'vitest'
import { alertNow, claimOf, endOf, everyone, failedUntil, mustClaim, newTenant, noon, numbersTo, openSession } from '../fixtures.ts'
import type { At } from '../harness.ts'

const due = noon + 60_000

export function retryCases(at: At): void {
  test('a failed run says when its automatic retry is due; until then the alert is failed', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { alert, run } = await failedUntil(store, tenant, due)
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', retryAt: due })
    expect((await store.journal.read(everyone, run.id)).at(-1)?.records).toMatchObject([{ kind: 'ended', retryAt: due }])
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, retryCount: 0, completedAt: noon + 99 })
    expect(await store.alerts.retryDue(tenant.scope, due - 1, 9)).toEqual([])
    expect(await store.alerts.pending(tenant.scope, due + 99, 9)).toEqual([])
  })

  test('when the retry is due, the alert is handed over again and waits from then on', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { alert, run } = await failedUntil(store, tenant, due)
    expect(await store.alerts.retryDue(tenant.scope, due, 9)).toEqual([
      { uuid: alert.uuid, organization: tenant.id, type: 'phishing', retryCount: 1, deaths: 0 },
    ])
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 5, retryCount: 1, modifiedAt: due, completedAt: null })
    expect(await store.alerts.retryDue(tenant.scope, due + 1, 9)).toEqual([])
    expect(await store.alerts.pending(tenant.scope, due + 1, 9)).toMatchObject([{ uuid: alert.uuid, retryCount: 1 }])
    const second = await mustClaim(store, claimOf(alert, await openSession(store), 2, due + 5))
    expect(second.run).toMatchObject({ attempt: 2, case: run.case, retryAt: null })
    await store.runs.end(everyone, endOf(second.run.id, 1, 1))
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
    expect(await store.alerts.retryDue(tenant.scope, due + 99, 9)).toEqual([])
  })

  test('returns the retries that are due longest first, at most as many as requested', async () => {
    const { store } = at()
    const tenant = newTenant()
    const late = await failedUntil(store, tenant, due + 5)
    const early = await failedUntil(store, tenant, due)
    expect(await store.alerts.retryDue(tenant.scope, due + 9, 1)).toMatchObject([{ uuid: early.alert.uuid }])
    expect(await store.alerts.retryDue(tenant.scope, due + 9, 9)).toMatchObject([{ uuid: late.alert.uuid }])
  })

  test('a person and the sweeper who ask at once start only one more attempt', async () => {
    const { store } = at()
    const other = (await at().second()) ?? store
    const tenant = newTenant()
    const { alert } = await failedUntil(store, tenant, due)
    const asked = numbersTo(8).map(async (index) => {
      const by = index % 2 ? store : other
      if (index % 4 < 2) return (await by.alerts.retryDue(tenant.scope, due, 9)).length
      return (await by.alerts.retry(tenant.scope, alert.uuid, due))?.retried ? 1 : 0
    })
    const won: readonly number[] = await Promise.all(asked)
    expect(won.reduce((sum, one) => sum + one, 0)).toBe(1)
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 5, retryCount: 1 })
  })

  test('no retry is due once somebody has asked for another attempt, however that attempt ends', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { alert } = await failedUntil(store, tenant, due)
    await store.alerts.retry(everyone, alert.uuid, noon + 200)
    expect(await store.alerts.retryDue(tenant.scope, due, 9)).toEqual([])
    const second = await mustClaim(store, claimOf(alert, await openSession(store), 2, noon + 300))
    await store.runs.end(everyone, endOf(second.run.id, 1, 1, { state: 'failed' }))
    expect(await store.alerts.retryDue(tenant.scope, due, 9)).toEqual([])
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, retryCount: 1 })
  })

  test('a retry may be dropped once before it starts; somebody may still ask for another attempt', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { alert, run } = await failedUntil(store, tenant, due)
    expect(await store.runs.dropRetry(everyone, run.id)).toBe(true)
    expect(await store.runs.dropRetry(everyone, run.id)).toBe(false)
    expect(await store.alerts.retryDue(tenant.scope, due, 9)).toEqual([])
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', retryAt: null })
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, retryCount: 0 })
    expect((await store.alerts.retry(everyone, alert.uuid, due))?.retried).toBe(true)

    const other = await failedUntil(store, tenant, due)
    await store.alerts.retryDue(tenant.scope, due, 9)
    expect(await store.runs.dropRetry(everyone, other.run.id)).toBe(false)
    expect(await alertNow(store, other.alert.uuid)).toMatchObject({ status: 5, retryCount: 1 })
  })

  test('a retry that is due survives a restart', async () => {
    const tenant = newTenant()
    const { alert } = await failedUntil(at().store, tenant, due)
    await at().reopen()
    expect(await at().store.alerts.retryDue(tenant.scope, due, 9)).toMatchObject([{ uuid: alert.uuid }])
  })
}
