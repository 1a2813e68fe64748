import { expect, test } from 'vitest'
import { type Alert, runId, type SessionId } from '../../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  type Claimed,
  claimedBy,
  claimOf,
  ended,
  endOf,
  entryAt,
  everyone,
  insertOne,
  investigated,
  joining,
  justStored,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  numbersTo,
  openSession,
  uuid,
} from '../fixtures.ts'
import { type At, deaths } from './bench.ts'
import { consistentCase } from './consistent.ts'

export function claimCrashes(at: At): void {
  const ways = deaths(6, 'runs', 'journal', 'counters', 'cases', 'alerts')
  const claims = [
    ['claim', claimOf],
    ['claim of an alert that was just stored', (alert: Alert, session: SessionId) => justStored(claimOf(alert, session), alert)],
  ] as const
  const each = claims.flatMap(([what, claim]) => ways.map(([how, survives]) => [what, how, claim, survives] as const))

  test.each(each)('%s: %s', async (_what, _how, claim, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(tenant))
    await dieAt(survives, (doomed) => mustClaim(doomed, claim(alert, session)))
    const shown = await alertNow(store, alert.uuid)
    await store.sessions.close(everyone, session)

    // The sweeper finds it, either as an alert that waits or as an orphan.
    const found = [...(await store.alerts.pending(tenant.scope, noon + 1_000, 9)), ...(await store.runs.orphans(tenant.scope, 9))]
    expect(found.map(({ uuid }) => uuid)).toContain(alert.uuid)
    const later = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(later.journal.map(({ position }) => position)).toEqual(numbersTo(later.position - 1).map((n) => n - 1))
    await consistentCase(store, tenant, alert)
    // A case id that was visible does not change.
    if (shown.caseId) expect((await alertNow(store, alert.uuid)).caseId).toBe(shown.caseId)
    const { run, position } = later
    expect(await store.runs.end(everyone, endOf(run.id, run.epoch, position))).toBe('ended')
    expect((await alertNow(store, alert.uuid)).status).toBe(15)

    const other = await investigated(store, tenant)
    expect(other.claimed.run.caseId).not.toBe(run.caseId)
  })

  test('if the number of a case is taken, the run is told, and continues with another number when it is claimed again', async () => {
    const { store, collections } = at()
    const tenant = newTenant()
    const { claimed } = await investigated(store, tenant)
    await collections.counters.updateOne({ _id: `case ${tenant.code}` }, { $inc: { last: -1 } })
    const [alert, session] = [await insertOne(store, newAlert(tenant)), await openSession(store)]
    const begun = claimedBy(await store.runs.claim(everyone, justStored(claimOf(alert, session), alert)))
    expect(begun.run.caseId).toBe(claimed.run.caseId)
    await expect(begun.opened).rejects.toMatchObject({ code: 'store_unavailable' })
    const again = await mustClaim(store, claimOf(alert, session))
    expect(again.run.caseId).toBe(`${tenant.code}-2`)
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 10, caseId: again.run.caseId })
  })

  test.each(deaths(6, 'runs', 'journal', 'counters', 'cases', 'alerts'))(
    'claim of an alert that joins a case or opens it: %s',
    async (_, survives) => {
      const { store, dieAt } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const claim = (alert: Alert, who: SessionId) => joining(claimOf(alert, who), { key: 'k', within: 1_000 })
      const [first, second] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      for (const alert of [first, second]) await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claim(alert, session)))
      await store.sessions.close(everyone, session)
      const successor = await openSession(store)
      const claims = [await mustClaim(store, claim(second, successor)), await mustClaim(store, claim(first, successor))]
      const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
      expect(items).toHaveLength(1)
      expect(new Set(items[0]?.alerts.map(({ alertUuid }) => alertUuid))).toEqual(new Set([first.uuid, second.uuid]))
      expect(items[0]?.alerts).toHaveLength(2)
      expect(new Set(claims.map(({ run }) => run.case))).toEqual(new Set([items[0]?.uuid]))
      for (const { uuid } of [first, second]) expect(await alertNow(store, uuid)).toMatchObject({ case: items[0]?.uuid, caseId: items[0]?.caseId })
      const kinds = (await wholeTimeline(store, everyone, items[0]!.uuid)).map(({ body }) => body.kind).sort()
      expect(kinds).toEqual(['joined', 'opened'])
    },
  )

  test.each(deaths(4, 'runs', 'journal', 'alerts'))('claim of a retry: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const { alert } = await ended(store, tenant)
    await store.alerts.retry(everyone, alert.uuid, noon + 100)
    await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claimOf(alert, session, 2)))
    await store.sessions.close(everyone, session)
    const { run, position } = await mustClaim(store, claimOf(alert, await openSession(store), 2))
    await consistentCase(store, tenant, alert)
    expect(await store.runs.end(everyone, endOf(run.id, run.epoch, position))).toBe('ended')
    expect((await store.runs.ofAlert(everyone, alert.uuid)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  })

  test.each(deaths(4, 'runs', 'journal'))('takeover: %s', async (_, survives) => {
    const { store, dieAt } = at()
    const tenant = newTenant()
    const { alert, claimed, session } = await investigated(store, tenant)
    await store.journal.append(everyone, claimed.run.id, entryAt(1, 1))
    await store.sessions.close(everyone, session)
    const second = await openSession(store)
    await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claimOf(alert, second)))
    await store.sessions.close(everyone, second)
    const later = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(later.journal.map(({ position }) => position)).toEqual(numbersTo(later.position - 1).map((n) => n - 1))
    expect(later.journal[1]).toEqual(entryAt(1, 1))
    expect(await store.journal.append(everyone, claimed.run.id, entryAt(2, 1))).toBe('superseded')
    await consistentCase(store, tenant, alert)
  })

  test('a claim that died after its first write is continued in the next epoch, and its first owner cannot append', async () => {
    const { store, dieAt } = at()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(newTenant()))
    await dieAt(
      (_, nth) => nth < 1,
      (doomed) => doomed.runs.claim(everyone, claimOf(alert, session)),
    )
    const id = runId(alert.uuid, 1)
    const first = { kind: 'claimed', epoch: 1, owner: session, at: noon + 10 }
    expect(await store.journal.read(everyone, id)).toEqual([{ position: 0, epoch: 1, format: 1, records: [first] }])
    await store.sessions.close(everyone, session)
    const later = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(later).toMatchObject({ position: 2, run: { epoch: 2 }, journal: [{ position: 0, records: [first] }] })
    expect(await store.journal.append(everyone, id, entryAt(1, 1))).toBe('superseded')
    expect((await store.journal.read(everyone, id)).map(({ position }) => position)).toEqual([0, 1])
  })

  test('a takeover that stalls until its own session is dead does not fence off the one that comes after it', async () => {
    const { store, stallAfterUpdate } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    await store.sessions.close(everyone, session)
    const second = await openSession(store)
    const third = Promise.withResolvers<Claimed>()
    const overtake = async (): Promise<void> => {
      await store.sessions.close(everyone, second)
      third.resolve(await mustClaim(store, claimOf(alert, await openSession(store))))
    }
    const slow = await stallAfterUpdate('runs', overtake, (stalled) => stalled.runs.claim(everyone, claimOf(alert, second)))
    expect(slow).toEqual({ kind: 'held' })
    const { run, position } = await third.promise
    // What it did is still stored: it may be the outcome of a write.
    expect(await store.journal.append(everyone, claimed.run.id, entryAt(position, run.epoch))).toBe('appended')
    const entries = await store.journal.read(everyone, claimed.run.id)
    expect(entries.map(({ epoch }) => epoch)).toEqual([1, 3, 3])
  })

  test('a claim really dies in each of these ways', async () => {
    const { store, dieAt } = at()
    for (const [name, survives] of deaths(4, 'runs', 'counters', 'cases', 'alerts')) {
      const alert = await insertOne(store, newAlert(newTenant()))
      const died = await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claimOf(alert, uuid<SessionId>())))
      expect([name, died]).toEqual([name, true])
    }
  })
}
