import { describe, expect, test } from 'vitest'
import { asId, noDeaths, runId, type SessionId } from '../../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  claimOf,
  ended,
  endOf,
  entryAt,
  everyone,
  insertOne,
  investigated,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  noteOf,
  numbersTo,
  openSession,
  uuid,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

export function takeoverCases(at: At): void {
  /** Returns a run with two entries from its first execution, whose session has died. */
  async function abandoned() {
    const { store } = at()
    const tenant = newTenant()
    const { alert, claimed, session } = await investigated(store, tenant)
    for (const position of [1, 2]) await store.journal.append(everyone, claimed.run.id, entryAt(position, 1))
    await store.sessions.close(everyone, session)
    return { store, tenant, alert, claimed, session, successor: await openSession(store) }
  }

  test('while its session is alive, nobody else can claim a run', async () => {
    const { store } = at()
    const { alert, claimed } = await investigated(store, newTenant())
    expect(await store.runs.claim(everyone, claimOf(alert, await openSession(store)))).toEqual({ kind: 'held' })
    expect(await store.runs.get(everyone, claimed.run.id)).toEqual(claimed.run)
    expect(await store.journal.append(everyone, claimed.run.id, entryAt(1, 1))).toBe('appended')
  })

  test('its own session may claim a run again that it gave up', async () => {
    const { store } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    await store.journal.append(everyone, claimed.run.id, entryAt(1, 1))
    const again = await mustClaim(store, claimOf(alert, session))
    expect(again).toMatchObject({ position: 3, run: { epoch: 2, owner: session, case: claimed.run.case } })
    expect(again.journal.map(({ position }) => position)).toEqual([0, 1])
  })

  test("a dead session's run is taken over under the next epoch, with its journal, its pins and its start", async () => {
    const { store, alert, claimed, successor } = await abandoned()
    const claim = { ...claimOf(alert, successor, 1, noon + 70), pins: { ...claimed.run.pins, plugins: {} } }
    const later = await mustClaim(store, claim)
    expect(later.run).toEqual({ ...claimed.run, epoch: 2, owner: successor })
    expect(later.position).toBe(4)
    expect(later.journal.map(({ position, epoch }) => [position, epoch])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ])
    expect(later.journal.slice(1)).toEqual([entryAt(1, 1), entryAt(2, 1)])
    expect((await store.journal.read(everyone, claimed.run.id)).at(-1)).toEqual({
      position: 3,
      epoch: 2,
      format: 1,
      records: [{ kind: 'claimed', epoch: 2, owner: successor, at: noon + 70 }],
    })
    expect(await store.runs.get(everyone, claimed.run.id)).toEqual(later.run)
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 10, case: claimed.run.case })
    expect(await wholeTimeline(store, everyone, claimed.run.case)).toHaveLength(1)
  })

  test('an unknown session counts as dead', async () => {
    const { store } = at()
    const alert = await insertOne(store, newAlert(newTenant()))
    await mustClaim(store, claimOf(alert, uuid<SessionId>()))
    expect((await mustClaim(store, claimOf(alert, await openSession(store)))).run.epoch).toBe(2)
  })

  test('a process whose run was taken over can neither append nor end (complaint 2)', async () => {
    const { store, alert, claimed, successor } = await abandoned()
    const { run } = claimed
    const later = await mustClaim(store, claimOf(alert, successor))
    expect(await store.journal.append(everyone, run.id, entryAt(3, 1))).toBe('superseded')
    expect(await store.runs.end(everyone, endOf(run.id, 1, 3, { state: 'failed', entries: [noteOf('stale')] }))).toBe('superseded')
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'running', epoch: 2 })
    expect((await alertNow(store, alert.uuid)).status).toBe(10)
    expect(await wholeTimeline(store, everyone, run.case)).toHaveLength(1)

    expect(await store.journal.append(everyone, run.id, entryAt(later.position, 2))).toBe('appended')
    expect(await store.runs.end(everyone, endOf(run.id, 2, later.position + 1))).toBe('ended')
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
  })

  test('an old owner that appends during a takeover either comes first and is read, or is superseded', async () => {
    const { store, alert, claimed, successor } = await abandoned()
    const other = (await at().second()) ?? store
    const stale = (async () => {
      let position = 3
      while ((await other.journal.append(everyone, claimed.run.id, entryAt(position, 1))) === 'appended') position += 1
      return position
    })()
    const later = await mustClaim(store, claimOf(alert, successor))
    const fenced = await stale
    expect(later.position).toBe(fenced + 1)
    expect(later.journal.map(({ position, epoch }) => [position, epoch])).toEqual(numbersTo(fenced).map((n) => [n - 1, 1]))
  })

  test('only one of several concurrent takeovers succeeds', async () => {
    const { store, alert } = await abandoned()
    const other = (await at().second()) ?? store
    const sessions = await Promise.all(numbersTo(5).map(() => openSession(store)))
    const results = await Promise.all(sessions.map((session, index) => (index % 2 ? store : other).runs.claim(everyone, claimOf(alert, session))))
    expect(results.map(({ kind }) => kind).sort()).toEqual(['claimed', 'held', 'held', 'held', 'held'])
    expect(results.find((result) => result.kind === 'claimed')).toMatchObject({ position: 4, run: { epoch: 2 } })
  })

  test('a run can be claimed again each time its session dies', async () => {
    const { store, alert, claimed } = await abandoned()
    for (const epoch of [2, 3, 4]) {
      const session = await openSession(store)
      const again = await mustClaim(store, claimOf(alert, session))
      expect([again.run.epoch, again.position, again.journal.length]).toEqual([epoch, epoch + 2, epoch + 1])
      await store.sessions.close(everyone, session)
    }
    expect((await store.runs.get(everyone, claimed.run.id))?.epoch).toBe(4)
  })

  test('after a restart, the run of a dead session is taken over with everything it had written', async () => {
    const { alert, claimed } = await abandoned()
    await at().reopen()
    const { store } = at()
    const later = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(later).toMatchObject({ position: 4, run: { epoch: 2, pins: claimed.run.pins } })
    expect(later.journal.slice(1)).toEqual([entryAt(1, 1), entryAt(2, 1)])
  })

  describe('orphans', () => {
    test('are the running runs of dead and unknown sessions', async () => {
      const { store, tenant, alert } = await abandoned()
      await investigated(store, tenant)
      await ended(store, tenant)
      const unknown = await insertOne(store, newAlert(tenant))
      await mustClaim(store, claimOf(unknown, asId<SessionId>(uuid())))
      const orphans = await store.runs.orphans(tenant.scope, 100)
      expect(orphans.map(({ uuid: id }) => id).sort()).toEqual([alert.uuid, unknown.uuid].sort())
      expect(orphans[0]).toMatchObject({ organization: tenant.id, type: 'phishing', retryCount: 0 })
      expect(await store.runs.orphans(tenant.scope, 1)).toHaveLength(1)
    })

    test('say which retry they belong to', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert } = await ended(store, tenant)
      await store.alerts.retry(everyone, alert.uuid, noon + 200)
      await mustClaim(store, claimOf(alert, uuid<SessionId>(), 2))
      expect(await store.runs.orphans(tenant.scope, 9)).toEqual([
        { run: runId(alert.uuid, 2), uuid: alert.uuid, organization: tenant.id, type: 'phishing', retryCount: 1, deaths: noDeaths },
      ])
    })

    test('are no orphans once a live session has them', async () => {
      const { store, tenant, alert, successor } = await abandoned()
      await mustClaim(store, claimOf(alert, successor))
      expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
    })
  })
}
