import { describe, expect, test } from 'vitest'
import { noDeaths } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import {
  alertNow,
  claimOf,
  doneRecord,
  endOf,
  entryAt,
  everyone,
  investigated,
  mustClaim,
  newTenant,
  noon,
  numbersTo,
  openSession,
  sleepOf,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

/** Returns a run that sleeps until `wakeAt`, and whose process has moved on to other work. */
async function asleep(store: Store, wakeAt: number | null) {
  const tenant = newTenant()
  const { alert, claimed, session } = await investigated(store, tenant)
  expect(await store.runs.sleep(everyone, sleepOf(claimed.run.id, 1, 1, wakeAt))).toBe('slept')
  return { tenant, alert, run: claimed.run, session }
}

export function sleepingCases(at: At): void {
  test('sleep appends `slept` with the other records, and the run waits while its alert stays in progress', async () => {
    const { store } = at()
    const { alert, claimed } = await investigated(store, newTenant())
    const { run } = claimed
    const riding = doneRecord('a', 1)
    expect(await store.runs.sleep(everyone, sleepOf(run.id, 1, 1, noon + 60, { records: [riding] }))).toBe('slept')
    expect(await store.runs.get(everyone, run.id)).toEqual({ ...run, state: 'waiting', wakeAt: noon + 60 })
    expect((await store.journal.read(everyone, run.id)).at(-1)).toEqual({
      position: 1,
      epoch: 1,
      format: 1,
      records: [riding, { kind: 'slept', until: noon + 60, at: noon + 20 }],
    })
    expect((await alertNow(store, alert.uuid)).status).toBe(10)
  })

  test('a process whose run was taken over cannot put it to sleep', async () => {
    const { store } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    await store.sessions.close(everyone, session)
    const later = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(await store.runs.sleep(everyone, sleepOf(claimed.run.id, 1, 1, null))).toBe('superseded')
    expect(await store.runs.get(everyone, claimed.run.id)).toEqual(later.run)
    expect(await store.runs.sleep(everyone, sleepOf(claimed.run.id, 2, later.position, null))).toBe('slept')
  })

  test('the death of a session does not affect sleeping runs', async () => {
    const { store } = at()
    const { tenant, run, session } = await asleep(store, noon + 60)
    await store.sessions.close(everyone, session)
    expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting' })
  })

  describe('a claim', () => {
    test.each([noon + 60, null])('of a run that sleeps until %s does not wake it earlier', async (wakeAt) => {
      const { store } = at()
      const { alert, run, session } = await asleep(store, wakeAt)
      for (const who of [session, await openSession(store)])
        expect(await store.runs.claim(everyone, claimOf(alert, who, 1, noon + 59))).toEqual({ kind: 'asleep' })
      expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting', epoch: 1, wakeAt })
      expect(await store.journal.read(everyone, run.id)).toHaveLength(2)
    })

    test('of a due run takes it over, even while its previous session is alive', async () => {
      const { store } = at()
      const { alert, run } = await asleep(store, noon + 60)
      const next = await openSession(store)
      const claimed = await mustClaim(store, claimOf(alert, next, 1, noon + 60))
      expect(claimed).toMatchObject({ position: 3, run: { id: run.id, state: 'running', wakeAt: null, epoch: 2, owner: next, startedAt: noon + 10 } })
      expect(claimed.journal.map(({ records }) => records.at(-1)?.kind)).toEqual(['claimed', 'slept'])
      expect(await store.runs.get(everyone, run.id)).toEqual(claimed.run)
      expect(await store.journal.append(everyone, run.id, entryAt(3, 2))).toBe('appended')
    })

    test('only one of several concurrent claims succeeds', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const { alert } = await asleep(store, noon + 60)
      const sessions = await Promise.all(numbersTo(4).map(() => openSession(store)))
      const claims = sessions.map((session, index) => (index % 2 ? store : other).runs.claim(everyone, claimOf(alert, session, 1, noon + 60)))
      expect((await Promise.all(claims)).map(({ kind }) => kind).sort()).toEqual(['claimed', 'held', 'held', 'held'])
    })
  })

  test('a run that slept can sleep again, and end', async () => {
    const { store } = at()
    const { alert, run } = await asleep(store, noon + 60)
    const session = await openSession(store)
    const second = await mustClaim(store, claimOf(alert, session, 1, noon + 60))
    expect(await store.runs.sleep(everyone, sleepOf(run.id, 2, second.position, noon + 90))).toBe('slept')
    const third = await mustClaim(store, claimOf(alert, session, 1, noon + 95))
    expect(third.position).toBe(5)
    expect(await store.runs.end(everyone, endOf(run.id, 3, third.position))).toBe('ended')
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'completed', wakeAt: null })
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
  })

  test('a run that slept before a restart still sleeps after it, and is due', async () => {
    const { tenant, run } = await asleep(at().store, noon + 60)
    await at().reopen()
    const { store } = at()
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting', wakeAt: noon + 60 })
    expect(await store.runs.due(tenant.scope, noon + 60, 9)).toHaveLength(1)
  })

  describe('due', () => {
    test('returns the waiting runs whose time has come, those due longest first', async () => {
      const { store } = at()
      const late = await asleep(store, noon + 50)
      const early = await asleep(store, noon + 40)
      const never = await asleep(store, null)
      const { id } = late.tenant
      const scope = { organizations: [id, early.tenant.id, never.tenant.id] }
      expect(await store.runs.due(scope, noon + 39, 9)).toEqual([])
      const found = await store.runs.due(scope, noon + 50, 9)
      expect(found).toEqual([
        { run: early.run.id, uuid: early.alert.uuid, organization: early.tenant.id, type: 'phishing', retryCount: 0, deaths: noDeaths },
        { run: late.run.id, uuid: late.alert.uuid, organization: id, type: 'phishing', retryCount: 0, deaths: noDeaths },
      ])
      expect(await store.runs.due(scope, noon + 50, 1)).toHaveLength(1)
      expect(await store.runs.due(scope, noon + 50, 9, 1)).toEqual(found.slice(1))
    })

    test('leaves out runs that run again', async () => {
      const { store } = at()
      const { tenant, alert } = await asleep(store, noon + 60)
      await mustClaim(store, claimOf(alert, await openSession(store), 1, noon + 60))
      expect(await store.runs.due(tenant.scope, noon + 999, 9)).toEqual([])
    })
  })

  describe('wake', () => {
    test.each([
      [null, noon + 30],
      [noon + 60, noon + 30],
    ])('makes what sleeps until %s due', async (wakeAt, when) => {
      const { store } = at()
      const { tenant, run, alert } = await asleep(store, wakeAt)
      await store.runs.wake(everyone, run.id, when)
      expect(await store.runs.due(tenant.scope, when, 9)).toHaveLength(1)
      expect((await mustClaim(store, claimOf(alert, await openSession(store), 1, when))).run.state).toBe('running')
    })

    test('does not make a run due later than it was', async () => {
      const { store } = at()
      const { run } = await asleep(store, noon + 30)
      await store.runs.wake(everyone, run.id, noon + 60)
      expect(await store.runs.get(everyone, run.id)).toMatchObject({ wakeAt: noon + 30 })
    })

    test('of a run that is not asleep yet is remembered until it sleeps', async () => {
      const { store } = at()
      const { claimed } = await investigated(store, newTenant())
      await store.runs.wake(everyone, claimed.run.id, noon + 15)
      expect(await store.runs.get(everyone, claimed.run.id)).toEqual(claimed.run)
      await store.runs.sleep(everyone, sleepOf(claimed.run.id, 1, 1, null))
      expect(await store.runs.get(everyone, claimed.run.id)).toMatchObject({ state: 'waiting', wakeAt: noon + 15 })
    })

    test('from before a claim is used up by the claim', async () => {
      const { store } = at()
      const { run, alert } = await asleep(store, null)
      await store.runs.wake(everyone, run.id, noon + 30)
      const { position } = await mustClaim(store, claimOf(alert, await openSession(store), 1, noon + 30))
      await store.runs.sleep(everyone, sleepOf(run.id, 2, position, null))
      expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting', wakeAt: null })
    })

    test('does not change ended runs', async () => {
      const { store } = at()
      const { claimed } = await investigated(store, newTenant())
      await store.runs.end(everyone, endOf(claimed.run.id, 1, 1))
      const before = await store.runs.get(everyone, claimed.run.id)
      await store.runs.wake(everyone, claimed.run.id, noon + 30)
      expect(await store.runs.get(everyone, claimed.run.id)).toEqual(before)
    })
  })
}
