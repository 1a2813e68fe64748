import { expect, test } from 'vitest'
import { type Alert, runId } from '../../../../runtime/domain/index.ts'
import type { ClaimResult, Store } from '../../../../runtime/storage/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  claimOf,
  endOf,
  everyone,
  insertOne,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  numbersTo,
  openSession,
  type Tenant,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

const within = 3_600_000
const duplicate: ClaimResult = { kind: 'duplicate' }

/** Inserts alerts of a tenant and claims them with a fingerprint, one after the other. */
class Flood {
  readonly #store: Store
  readonly #tenant: Tenant

  constructor(store: Store, tenant: Tenant) {
    this.#store = store
    this.#tenant = tenant
  }

  alert(createdAt = noon, type = 'phishing'): Promise<Alert> {
    return insertOne(this.#store, newAlert(this.#tenant, { createdAt, type }))
  }

  async claim(alert: Alert, digest = 'd', attempt = 1): Promise<ClaimResult> {
    return this.#store.runs.claim(everyone, { ...claimOf(alert, await openSession(this.#store), attempt), fingerprint: { digest, within } })
  }

  async first(createdAt = noon): Promise<Alert> {
    const alert = await this.alert(createdAt)
    expect((await this.claim(alert)).kind).toBe('claimed')
    return alertNow(this.#store, alert.uuid)
  }
}

const flood = (at: At): { store: Store; tenant: Tenant; alerts: Flood } => {
  const { store } = at()
  const tenant = newTenant()
  return { store, tenant, alerts: new Flood(store, tenant) }
}

export function duplicateCases(at: At): void {
  test('an alert with the same fingerprint ends with the first alert and points to it, without a run; the case says so once', async () => {
    const { store, tenant, alerts } = flood(at)
    const first = await alerts.first()
    const others = [await alerts.alert(noon + 5), await alerts.alert(noon + within), await alerts.alert(noon + 7)]
    for (const other of others) expect(await alerts.claim(other)).toEqual(duplicate)
    for (const { uuid, alertId, sequence } of others) {
      expect(await alertNow(store, uuid)).toMatchObject({
        alertId,
        sequence,
        status: 15,
        completedAt: noon + 10,
        modifiedAt: noon + 10,
        investigator: 'phishing-reported',
        case: first.case,
        caseId: first.caseId,
        duplicateOf: { alertId: first.alertId, alertUuid: first.uuid },
      })
      expect(await store.runs.ofAlert(everyone, uuid)).toEqual([])
    }
    expect(await alertNow(store, first.uuid)).toEqual(first)
    expect(first.duplicateOf).toBeNull()
    expect(await store.alerts.repeats(everyone, first.uuid)).toEqual({
      count: 3,
      latest: { alertId: others[1]?.alertId, createdAt: noon + within },
    })
    const timeline = await wholeTimeline(store, everyone, first.case!)
    expect(timeline.map(({ body }) => body)).toEqual([
      expect.objectContaining({ kind: 'opened' }),
      { kind: 'repeated', alertId: first.alertId, alertUuid: first.uuid },
    ])
    expect((await store.cases.get(everyone, first.case!))?.alerts).toHaveLength(1)
    // A job that arrives twice asks again.
    expect((await alerts.claim(others[0]!)).kind).toBe('over')
    expect(await store.alerts.pending(tenant.scope, noon + within + 1, 9)).toEqual([])
  })

  test('an alert with another fingerprint, type or organization, or with none, gets its own run', async () => {
    const { store, alerts } = flood(at)
    await alerts.first()
    expect((await alerts.claim(await alerts.alert(), 'e')).kind).toBe('claimed')
    expect((await alerts.claim(await alerts.alert(noon, 'malware'))).kind).toBe('claimed')
    const other = flood(at)
    expect((await other.alerts.claim(await other.alerts.alert())).kind).toBe('claimed')
    const plain = await alerts.alert()
    expect((await store.runs.claim(everyone, claimOf(plain, await openSession(store)))).kind).toBe('claimed')
    expect((await store.runs.claim(everyone, { ...claimOf(await alerts.alert(), await openSession(store)), fingerprint: null })).kind).toBe('claimed')
  })

  test('the window belongs to the first alert: a later alert is investigated and opens the next window', async () => {
    const { store, alerts } = flood(at)
    const first = await alerts.first()
    // Duplicates do not make the window longer.
    expect(await alerts.claim(await alerts.alert(noon + within))).toEqual(duplicate)
    const next = await alerts.first(noon + within + 1)
    expect(next.caseId).not.toBe(first.caseId)
    const later = await alerts.alert(noon + 2 * within)
    expect(await alerts.claim(later)).toEqual(duplicate)
    expect((await alertNow(store, later.uuid)).duplicateOf?.alertUuid).toBe(next.uuid)
    // An alert may come late, from a full queue. It is a duplicate if it is within the window's length before
    // the first alert. If it is older, it is investigated and opens no window.
    expect(await alerts.claim(await alerts.alert(noon + 2))).toEqual(duplicate)
    expect((await alerts.claim(await alerts.alert(noon))).kind).toBe('claimed')
    expect(await alerts.claim(await alerts.alert(noon + within + 2))).toEqual(duplicate)
  })

  test('if the first alert has failed, the next one is investigated and becomes the first', async () => {
    const { store, alerts } = flood(at)
    const first = await alerts.first()
    const [run] = await store.runs.ofAlert(everyone, first.uuid)
    await store.runs.end(everyone, endOf(run!.id, 1, 1, { state: 'failed' }))
    const second = await alerts.first(noon + 1)
    const third = await alerts.alert(noon + 2)
    expect(await alerts.claim(third)).toEqual(duplicate)
    expect((await alertNow(store, third.uuid)).duplicateOf?.alertUuid).toBe(second.uuid)
    // An alert that completed stays the first.
    const [again] = await store.runs.ofAlert(everyone, second.uuid)
    await store.runs.end(everyone, endOf(again!.id, 1, 1))
    expect(await alerts.claim(await alerts.alert(noon + 3))).toEqual(duplicate)
    expect((await store.alerts.repeats(everyone, first.uuid)).count).toBe(0)
    expect((await store.alerts.repeats(everyone, second.uuid)).count).toBe(2)
  })

  test('a first alert that failed and will be retried automatically stays the first', async () => {
    const { store, tenant, alerts } = flood(at)
    const first = await alerts.first()
    const failed = { state: 'failed', failure: { code: 'network', message: 'reset', remedy: null, step: 'look' } } as const
    await store.runs.end(everyone, endOf(runId(first.uuid, 1), 1, 1, { ...failed, retryAt: noon + 500 }))
    expect((await alertNow(store, first.uuid)).status).toBe(20)
    expect(await alerts.claim(await alerts.alert(noon + 1))).toEqual(duplicate)
    expect(await store.alerts.retryDue(tenant.scope, noon + 500, 9)).toMatchObject([{ uuid: first.uuid }])
    expect((await alerts.claim(first, 'd', 2)).kind).toBe('claimed')
    expect(await alerts.claim(await alerts.alert(noon + 2))).toEqual(duplicate)
    await store.runs.end(everyone, endOf(runId(first.uuid, 2), 1, 1, failed))
    expect((await alerts.claim(await alerts.alert(noon + 3))).kind).toBe('claimed')
  })

  test('a retry of a duplicate investigates it, in the case that it points to', async () => {
    const { store, alerts } = flood(at)
    const first = await alerts.first()
    const other = await alerts.alert()
    await alerts.claim(other)
    expect(await store.alerts.retry(everyone, other.uuid, noon + 50)).toMatchObject({ retried: true, alert: { duplicateOf: null, status: 5 } })
    // A late job of the previous attempt finds nothing to do.
    expect((await alerts.claim(other)).kind).toBe('over')
    const retried = await alerts.claim(other, 'd', 2)
    expect(retried).toMatchObject({ kind: 'claimed', run: { attempt: 2, case: first.case, caseId: first.caseId } })
    expect(await alertNow(store, other.uuid)).toMatchObject({ status: 10, case: first.case, duplicateOf: null })
    expect((await store.cases.get(everyone, first.case!))?.alerts.map(({ alertUuid }) => alertUuid)).toEqual([first.uuid, other.uuid])
    const kinds = (await wholeTimeline(store, everyone, first.case!)).map(({ body }) => body.kind)
    expect(kinds.sort()).toEqual(['joined', 'opened', 'repeated'])
    expect((await store.alerts.repeats(everyone, first.uuid)).count).toBe(0)
  })

  test('a late job of the first attempt, whose playbook no longer looks for duplicates, starts no run', async () => {
    const { store, alerts } = flood(at)
    const first = await alerts.first()
    const other = await alerts.alert()
    await alerts.claim(other)
    const late = async () => store.runs.claim(everyone, { ...claimOf(other, await openSession(store)), fingerprint: null })
    expect(await late()).toEqual({ kind: 'over' })
    await store.alerts.retry(everyone, other.uuid, noon + 50)
    expect(await late()).toEqual({ kind: 'over' })
    expect((await alerts.claim(other, 'd', 2)).kind).toBe('claimed')
    expect(await late()).toEqual({ kind: 'over' })
    expect((await store.runs.ofAlert(everyone, other.uuid)).map(({ attempt }) => attempt)).toEqual([2])
    expect(await alertNow(store, other.uuid)).toMatchObject({ status: 10, retryCount: 1, case: first.case })
  })

  test('the first alert stays the first after its session dies, and after a retry', async () => {
    const { store, alerts } = flood(at)
    const alert = await alerts.alert()
    const session = await openSession(store)
    const { run } = await mustClaim(store, { ...claimOf(alert, session), fingerprint: { digest: 'd', within } })
    await store.sessions.close(everyone, session)
    const again = await alerts.claim(alert)
    expect(again).toMatchObject({ kind: 'claimed', run: { id: run.id, epoch: 2 } })
    await store.runs.end(everyone, endOf(run.id, 2, 2))
    await store.alerts.retry(everyone, alert.uuid, noon + 50)
    expect(await alerts.claim(alert, 'd', 2)).toMatchObject({ kind: 'claimed', run: { attempt: 2, caseId: run.caseId } })
    expect(await alerts.claim(await alerts.alert())).toEqual(duplicate)
  })

  test('however many come at once, one is investigated', async () => {
    const { store, tenant, alerts } = flood(at)
    const other = (await at().second()) ?? store
    const inserted = await store.alerts.insert(
      everyone,
      numbersTo(24).map(() => newAlert(tenant)),
    )
    const session = await openSession(store)
    const claim = (alert: Alert, index: number) =>
      (index % 2 ? store : other).runs.claim(everyone, { ...claimOf(alert, session), fingerprint: { digest: 'd', within } })
    const claims = await Promise.all(inserted.map(({ alert }, index) => claim(alert, index)))
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
    // These came before the first alert had its case.
    for (const [index, { kind }] of claims.entries()) if (kind === 'held') expect(await claim(inserted[index]!.alert, index)).toEqual(duplicate)
    const first = inserted[claims.findIndex(({ kind }) => kind === 'claimed')]!.alert
    expect(await store.alerts.repeats(everyone, first.uuid)).toMatchObject({ count: 23 })
    expect((await store.runs.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })).items).toHaveLength(1)
    expect((await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })).items).toHaveLength(1)
    expect(await alerts.claim(await alerts.alert())).toEqual(duplicate)
  })

  test('a window that closed long ago is forgotten; an open one is not', async () => {
    const { store, tenant, alerts } = flood(at)
    await alerts.first()
    expect(await store.runs.forgetWindows(tenant.scope, noon + within)).toBe(0)
    expect(await store.runs.forgetWindows(tenant.scope, noon + within + 1)).toBe(1)
    expect((await alerts.claim(await alerts.alert())).kind).toBe('claimed')
  })
}
