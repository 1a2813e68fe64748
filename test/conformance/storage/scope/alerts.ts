import { expect } from 'vitest'
import type { PauseId } from '../../../../runtime/domain/index.ts'
import { alertNow, claimOf, everyone, failedUntil, insertOne, mustClaim, newAlert, noon, openSession, uuid } from '../fixtures.ts'
import { attempt, nothing, type ScopeCases } from './world.ts'

export const alerts: ScopeCases<'alerts'> = {
  async insert({ store, stranger, owner }) {
    const alert = newAlert(owner)
    expect(await attempt(store.alerts.insert(stranger.scope, [alert]))).toBe('refused')
    expect(await store.alerts.get(everyone, [alert.uuid])).toEqual([])
  },
  async get({ store, stranger, owner, alert, over }) {
    expect(await store.alerts.get(stranger.scope, [alert.uuid, over.uuid])).toEqual([])
    expect(await store.alerts.get(owner.scope, [alert.uuid])).toHaveLength(1)
  },
  async names({ store, stranger, owner, alert, over }) {
    expect(await store.alerts.names(stranger.scope, [alert.uuid, over.uuid])).toEqual([])
    expect(await store.alerts.names(owner.scope, [alert.uuid])).toMatchObject([
      { uuid: alert.uuid, organization: owner.id, alertId: alert.alertId, name: alert.name },
    ])
  },
  async byAlertId({ store, stranger, owner, alert }) {
    expect(await store.alerts.byAlertId(stranger.scope, alert.alertId)).toBeNull()
    expect(await store.alerts.byAlertId(owner.scope, alert.alertId)).toMatchObject({ uuid: alert.uuid })
  },
  async list({ store, stranger, owner, alert }) {
    const query = { sort: 'created_at', after: null, limit: 9, preview: 9 } as const
    for (const parts of [{}, { organizations: [owner.id] }, { words: ['mail'] }])
      expect(await store.alerts.list(stranger.scope, { ...query, ...parts })).toEqual(nothing)
    expect((await store.alerts.list(owner.scope, { ...query, words: ['mail'] })).items.map(({ uuid: id }) => id)).toContain(alert.uuid)
  },
  async tally({ store, stranger, owner, alert }) {
    for (const parts of [{}, { organizations: [owner.id] }, { words: ['mail'] }])
      expect(await store.alerts.tally(stranger.scope, parts, null, 1_000)).toEqual({ matching: 0, next: null })
    const after = { createdAt: alert.createdAt + 1, uuid: alert.uuid }
    expect((await store.alerts.tally(owner.scope, {}, after, 1_000)).matching).toBeGreaterThan(0)
  },
  async submit({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    await attempt(store.alerts.submit(stranger.scope, [alert.uuid], noon + 1))
    expect(await alertNow(store, alert.uuid)).toEqual(alert)
  },
  async repeats({ store, stranger, owner, alert }) {
    const duplicate = await insertOne(store, newAlert(owner))
    const session = await openSession(store)
    const fingerprint = { digest: 'd', within: 1 }
    const other = await insertOne(store, newAlert(owner))
    await mustClaim(store, { ...claimOf(other, session), fingerprint })
    expect(await store.runs.claim(everyone, { ...claimOf(duplicate, session), fingerprint })).toEqual({ kind: 'duplicate' })
    expect(await store.alerts.repeats(stranger.scope, other.uuid)).toEqual({ count: 0, latest: null })
    expect(await store.alerts.repeats(owner.scope, other.uuid)).toMatchObject({ count: 1, latest: { alertId: duplicate.alertId } })
    expect(await store.alerts.repeats(owner.scope, alert.uuid)).toEqual({ count: 0, latest: null })
    const query = { sort: 'created_at', after: null, limit: 9, preview: 9, duplicateOf: other.uuid } as const
    expect(await store.alerts.list(stranger.scope, query)).toEqual(nothing)
    expect((await store.alerts.list(owner.scope, query)).items.map(({ uuid: id }) => id)).toEqual([duplicate.uuid])
  },
  async retry({ store, stranger, over }) {
    const before = await alertNow(store, over.uuid)
    expect(await store.alerts.retry(stranger.scope, over.uuid, noon)).toBeNull()
    expect(await alertNow(store, over.uuid)).toEqual(before)
  },
  async retryDue({ store, stranger, owner }) {
    const { alert } = await failedUntil(store, owner, noon + 200)
    expect(await store.alerts.retryDue(stranger.scope, noon + 200, 9)).toEqual([])
    expect((await alertNow(store, alert.uuid)).status).toBe(20)
    expect(await store.alerts.retryDue(owner.scope, noon + 200, 9)).toMatchObject([{ uuid: alert.uuid }])
  },
  async pending({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    expect(await store.alerts.pending(stranger.scope, noon + 1, 9)).toEqual([])
    expect(await store.alerts.pending(owner.scope, noon + 1, 9)).toMatchObject([{ uuid: alert.uuid }])
  },
  async prepare({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    const session = await openSession(store)
    await store.alerts.prepare(stranger.scope, alert.uuid, { attempt: 1, session })
    await store.sessions.bury(everyone, -1)
    expect(await store.alerts.pending(owner.scope, noon + 1, 9)).toMatchObject([{ uuid: alert.uuid, deaths: 0 }])
  },
  async prepared({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    const session = await openSession(store)
    await store.alerts.prepare(owner.scope, alert.uuid, { attempt: 1, session })
    await attempt(store.alerts.prepared(stranger.scope, alert.uuid, session))
    await store.sessions.bury(everyone, -1)
    expect(await store.alerts.pending(owner.scope, noon + 1, 9)).toMatchObject([{ uuid: alert.uuid, deaths: 1 }])
  },
  async hold({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    await attempt(store.alerts.hold(stranger.scope, alert.uuid, uuid<PauseId>()))
    expect(await store.alerts.pending(owner.scope, noon + 1, 9)).toMatchObject([{ uuid: alert.uuid }])
  },
  async heldBy({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    const pause = uuid<PauseId>()
    await store.alerts.hold(owner.scope, alert.uuid, pause)
    expect(await store.alerts.heldBy(stranger.scope, alert.uuid)).toBeNull()
    expect(await store.alerts.heldBy(owner.scope, alert.uuid)).toBe(pause)
  },
  async release({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    await store.alerts.hold(owner.scope, alert.uuid, uuid<PauseId>())
    expect(await store.alerts.release(stranger.scope, noon, 9)).toEqual([])
    expect(await store.alerts.release(owner.scope, noon, 9)).toMatchObject([{ uuid: alert.uuid }])
  },
  async repair({ store, stranger }) {
    expect(await store.alerts.repair(stranger.scope, noon + 1)).toBe(0)
  },
}
