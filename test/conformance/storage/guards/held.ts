import { describe, expect, test } from 'vitest'
import { type Alert, asId, type PauseId, type PrincipalId, type Run } from '../../../../runtime/domain/index.ts'
import type { RunSleep, Store } from '../../../../runtime/storage/index.ts'
import {
  alertNow,
  claimOf,
  endOf,
  everyone,
  insertOne,
  investigated,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  numbersTo,
  openSession,
  sleepOf,
  type Tenant,
} from '../fixtures.ts'
import type { At } from '../harness.ts'
import { actOf, newPause } from './pauses.ts'

async function paused(store: Store, tenant: Tenant): Promise<PauseId> {
  return (await store.pauses.begin(everyone, newPause(tenant))).id
}

export function heldCases(at: At): void {
  describe('an alert that is held', () => {
    test('is not pending until its pause has ended, and then pending at once', async () => {
      const { store } = at()
      const tenant = newTenant()
      const [alert, other] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      const pause = await paused(store, tenant)
      expect(await store.alerts.heldBy(everyone, alert.uuid)).toBeNull()
      await store.alerts.hold(everyone, alert.uuid, pause)
      expect(await store.alerts.heldBy(everyone, alert.uuid)).toBe(pause)
      const pending = async (): Promise<string[]> => (await store.alerts.pending(tenant.scope, noon + 9_000_000, 9)).map(({ uuid }) => uuid)
      expect(await pending()).toEqual([other.uuid])
      expect(await store.alerts.release(tenant.scope, noon + 50, 9)).toEqual([])
      // Handing it over does not release it.
      await store.alerts.submit(everyone, [alert.uuid], noon + 20)
      expect(await pending()).toEqual([other.uuid])
      expect(await alertNow(store, alert.uuid)).toEqual(alert)

      await store.pauses.end(everyone, pause, actOf('bob'))
      expect(await store.alerts.release(tenant.scope, noon + 50, 9)).toMatchObject([{ uuid: alert.uuid, organization: tenant.id, retryCount: 0 }])
      expect(await store.alerts.release(tenant.scope, noon + 50, 9)).toEqual([])
      expect(await store.alerts.heldBy(everyone, alert.uuid)).toBeNull()
      expect((await store.alerts.pending(tenant.scope, noon + 50, 9)).map(({ uuid }) => uuid)).toEqual([other.uuid])
      expect((await pending()).sort()).toEqual([alert.uuid, other.uuid].sort())
      await store.alerts.submit(everyone, [alert.uuid], noon + 60)
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 5, modifiedAt: noon + 60 })
    })

    test('can be claimed by a process that does not know of the pause, and is then no longer held', async () => {
      const { store } = at()
      const tenant = newTenant()
      const alert = await insertOne(store, newAlert(tenant))
      const pause = await paused(store, tenant)
      await store.alerts.hold(everyone, alert.uuid, pause)
      const claimed = await mustClaim(store, claimOf(alert, await openSession(store)))
      // A hold that comes too late changes nothing.
      await store.alerts.hold(everyone, alert.uuid, pause)
      await store.pauses.end(everyone, pause, actOf('bob'))
      expect(await store.alerts.release(tenant.scope, noon + 50, 9)).toEqual([])
      expect(await store.alerts.pending(tenant.scope, noon + 9_000_000, 9)).toEqual([])
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 10 })
      await store.runs.end(everyone, endOf(claimed.run.id, 1, 1))
      await store.alerts.retry(everyone, alert.uuid, noon + 99)
      expect(await store.alerts.pending(tenant.scope, noon + 100, 9)).toMatchObject([{ uuid: alert.uuid, retryCount: 1 }])
    })

    test('is also released if it turns out to be a duplicate', async () => {
      const { store } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const [first, other] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      const claim = (alert: Alert) => store.runs.claim(everyone, { ...claimOf(alert, session), fingerprint: { digest: 'd', within: 1_000 } })
      const pause = await paused(store, tenant)
      await store.alerts.hold(everyone, other.uuid, pause)
      await claim(first)
      expect(await claim(other)).toEqual({ kind: 'duplicate' })
      await store.pauses.end(everyone, pause, actOf('bob'))
      expect(await store.alerts.release(tenant.scope, noon + 50, 9)).toEqual([])
      expect(await store.alerts.pending(tenant.scope, noon + 9_000_000, 9)).toEqual([])
      expect(await alertNow(store, other.uuid)).toMatchObject({ status: 15 })
    })

    test('many of them hide no other alert, and are released in parts', async () => {
      const { store } = at()
      const tenant = newTenant()
      const held = await store.alerts.insert(
        everyone,
        numbersTo(30).map(() => newAlert(tenant)),
      )
      const pause = await paused(store, tenant)
      for (const { alert } of held) await store.alerts.hold(everyone, alert.uuid, pause)
      const late = await insertOne(store, newAlert(tenant, { createdAt: noon + 5 }))
      expect(await store.alerts.pending(tenant.scope, noon + 9, 3)).toMatchObject([{ uuid: late.uuid }])
      await store.pauses.end(everyone, pause, actOf('bob'))
      const freed: string[] = []
      for (const _ of numbersTo(4)) freed.push(...(await store.alerts.release(tenant.scope, noon + 9, 10)).map(({ uuid }) => uuid))
      expect(freed.sort()).toEqual(held.map(({ alert }) => alert.uuid).sort())
    })
  })

  describe('a run that is held', () => {
    const dueSoon = ({ id, epoch }: Run, position: number, parts: Partial<RunSleep> = {}): RunSleep => sleepOf(id, epoch, position, noon + 20, parts)

    test('because a pause stopped it is not due until the pause has ended; the next claim says since when it was held', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert, claimed } = await investigated(store, tenant)
      const pause = await paused(store, tenant)
      expect(await store.runs.sleep(everyone, dueSoon(claimed.run, 1, { pause }))).toBe('slept')
      expect((await store.journal.read(everyone, claimed.run.id)).at(-1)?.records).toEqual([
        { kind: 'slept', until: noon + 20, pause, at: noon + 20 },
      ])
      expect(await store.runs.get(everyone, claimed.run.id)).toEqual({ ...claimed.run, state: 'waiting', wakeAt: noon + 20 })
      // A decision that is answered meanwhile does not release it.
      await store.runs.wake(everyone, claimed.run.id, noon + 10)
      expect(await store.runs.due(tenant.scope, noon + 900, 9)).toEqual([])
      expect(await store.runs.release(tenant.scope, 9)).toBe(0)

      await store.pauses.end(everyone, pause, actOf('bob'))
      expect(await store.runs.release(tenant.scope, 9)).toBe(1)
      expect(await store.runs.release(tenant.scope, 9)).toBe(0)
      expect(await store.runs.due(tenant.scope, noon + 900, 9)).toMatchObject([{ uuid: alert.uuid }])
      const session = await openSession(store)
      const next = await mustClaim(store, claimOf(alert, session, 1, noon + 900))
      expect(next).toMatchObject({ heldSince: noon + 20, position: 3 })
      expect((await store.journal.read(everyone, claimed.run.id)).at(-1)?.records).toEqual([
        { kind: 'claimed', epoch: 2, owner: session, at: noon + 900, heldSince: noon + 20 },
      ])
      expect(await store.runs.sleep(everyone, dueSoon(next.run, 3))).toBe('slept')
      expect(await mustClaim(store, claimOf(alert, session, 1, noon + 950))).toMatchObject({ heldSince: null })
    })

    test('while it slept is not due, and while it had no owner is no orphan; the first hold says since when', async () => {
      const { store } = at()
      const tenant = newTenant()
      const pause = await paused(store, tenant)
      const sleeper = await investigated(store, tenant)
      await store.runs.sleep(everyone, dueSoon(sleeper.claimed.run, 1))
      const orphan = await investigated(store, tenant)
      await store.sessions.close(everyone, orphan.session)
      for (const { claimed } of [sleeper, orphan])
        for (const since of [noon + 30, noon + 40]) await store.runs.hold(everyone, claimed.run.id, pause, since)
      expect(await store.runs.due(tenant.scope, noon + 900, 9)).toEqual([])
      expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
      await store.pauses.end(everyone, pause, actOf('bob'))
      expect(await store.runs.release(tenant.scope, 9)).toBe(2)
      expect(await store.runs.due(tenant.scope, noon + 900, 9)).toMatchObject([{ uuid: sleeper.alert.uuid }])
      expect(await store.runs.orphans(tenant.scope, 9)).toMatchObject([{ uuid: orphan.alert.uuid }])
      for (const { alert } of [sleeper, orphan])
        expect(await mustClaim(store, claimOf(alert, await openSession(store), 1, noon + 900))).toMatchObject({ heldSince: noon + 30 })
    })

    test('and was cancelled meanwhile is not held, so that it can be claimed to end', async () => {
      const { store } = at()
      const tenant = newTenant()
      const pause = await paused(store, tenant)
      const { alert, claimed } = await investigated(store, tenant)
      await store.runs.sleep(everyone, dueSoon(claimed.run, 1))
      await store.runs.hold(everyone, claimed.run.id, pause, noon + 30)
      const by = { principal: asId<PrincipalId>('ada'), by: 'ada', reason: null, at: noon + 40 }
      await store.runs.cancel(everyone, claimed.run.id, by)
      // A process that had read the run before the cancellation holds it again.
      await store.runs.hold(everyone, claimed.run.id, pause, noon + 30)
      expect(await store.runs.due(tenant.scope, noon + 900, 9)).toMatchObject([{ uuid: alert.uuid }])
    })

    test('because a pause stopped it, but was woken while it was running, is first looked at once more', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert, claimed } = await investigated(store, tenant)
      const pause = await paused(store, tenant)
      await store.runs.wake(everyone, claimed.run.id, noon + 15)
      expect(await store.runs.sleep(everyone, dueSoon(claimed.run, 1, { pause }))).toBe('slept')
      expect(await store.runs.due(tenant.scope, noon + 15, 9)).toMatchObject([{ uuid: alert.uuid }])
      expect(await mustClaim(store, claimOf(alert, await openSession(store), 1, noon + 15))).toMatchObject({ heldSince: noon + 20 })
    })

    test('can be claimed by a process that does not know of the pause, and is then no longer held', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert, claimed } = await investigated(store, tenant)
      await store.runs.sleep(everyone, dueSoon(claimed.run, 1))
      await store.runs.hold(everyone, claimed.run.id, await paused(store, tenant), noon + 30)
      const session = await openSession(store)
      await mustClaim(store, claimOf(alert, session, 1, noon + 40))
      await store.sessions.close(everyone, session)
      expect(await store.runs.orphans(tenant.scope, 9)).toMatchObject([{ uuid: alert.uuid }])
    })

    test('and has ended does not change', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { claimed } = await investigated(store, tenant)
      await store.runs.end(everyone, endOf(claimed.run.id, 1, 1))
      const run = await store.runs.get(everyone, claimed.run.id)
      await store.runs.hold(everyone, claimed.run.id, await paused(store, tenant), noon)
      expect(await store.runs.release(tenant.scope, 9)).toBe(0)
      expect(await store.runs.get(everyone, claimed.run.id)).toEqual(run)
    })

    test('many of them hide no other run that is due', async () => {
      const { store } = at()
      const tenant = newTenant()
      const pause = await paused(store, tenant)
      for (const _ of numbersTo(12)) await store.runs.sleep(everyone, dueSoon((await investigated(store, tenant)).claimed.run, 1, { pause }))
      const other = await investigated(store, tenant)
      await store.runs.sleep(everyone, dueSoon(other.claimed.run, 1, { wakeAt: noon + 500 }))
      expect(await store.runs.due(tenant.scope, noon + 900, 3)).toMatchObject([{ uuid: other.alert.uuid }])
    })
  })
}
