import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock, systemIds } from '../../../runtime/config/seams.ts'
import type { Alert, NewAlert, SessionId } from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { assemble } from '../../../runtime/storage/mongodb/assemble.ts'
import { type Collections, collectionsOf } from '../../../runtime/storage/mongodb/collections.ts'
import { type Connected, connect } from '../../../runtime/storage/mongodb/connect.ts'
import { migrate } from '../../../runtime/storage/mongodb/indexes.ts'
import { SleeplessClock } from '../../support/sleepless-clock.ts'
import { dying, type Survives } from './dying.ts'
import {
  alertNow,
  cancellation,
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
  type Tenant,
  undoOf,
  uuid,
} from './fixtures.ts'

const url = process.env['MONGODB_URL']
if (!url) console.log('skipped: MongoDB crash cases (MONGODB_URL is not set)')

type Aggregates = Omit<Store, 'ping' | 'close'>

/** Ways to die: before each of the first writes, or at every write to one collection while those to others still pass. */
function deaths(writes: number, ...lost: readonly (keyof Collections)[]): (readonly [string, Survives])[] {
  return [
    ...numbersTo(writes).map((n): readonly [string, Survives] => [`before write ${n}`, (_, nth) => nth < n - 1]),
    ...lost.map((name): readonly [string, Survives] => [`at writes to ${name}`, (collection) => collection !== name]),
  ]
}

describe.skipIf(!url)('a process that dies between two writes to MongoDB leaves nothing that is not mended', () => {
  let opened: Connected
  let collections: Collections
  let store: Store

  beforeAll(async () => {
    opened = await connect(url ?? '', `crash-${randomUUID()}`)
    const { database } = opened
    await migrate(database, systemClock)
    collections = collectionsOf(database)
    store = { ...assemble(collections, new SleeplessClock(), systemIds).aggregates, ping: async () => {}, close: async () => {} }
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  /** Does something in a process that dies the given way. Returns whether it died of it. */
  async function dieAt(survives: Survives, work: (doomed: Aggregates) => Promise<unknown>): Promise<boolean> {
    const process = dying(collections, survives)
    const { aggregates, idle } = assemble(process.collections, systemClock, systemIds)
    const result = await work(aggregates).then(
      () => null,
      (error: unknown) => error,
    )
    await idle()
    if (result !== null) expect(result).toMatchObject({ code: 'store_unavailable' })
    return process.hit()
  }

  async function allOf(tenant: Tenant): Promise<readonly Alert[]> {
    return (await store.alerts.list(everyone, { organizations: [tenant.id], sort: 'created_at', after: null, limit: 500, preview: 99 })).items
  }
  /** The alert's one case, and that everything that names it agrees. */
  async function consistentCase(tenant: Tenant, alert: Alert): Promise<void> {
    const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
    expect(items).toHaveLength(1)
    const [only] = items
    expect(only?.alerts).toEqual([{ alertId: alert.alertId, alertUuid: alert.uuid }])
    expect(await alertNow(store, alert.uuid)).toMatchObject({ case: only?.uuid, caseId: only?.caseId, investigator: 'phishing-reported' })
    for (const run of await store.runs.ofAlert(everyone, alert.uuid)) expect([run.case, run.caseId]).toEqual([only?.uuid, only?.caseId])
    const timeline = await store.cases.timeline(everyone, only!.uuid)
    expect(timeline.filter(({ body }) => body.kind === 'opened')).toHaveLength(1)
  }

  test.each(deaths(6, 'alerts', 'alertWords', 'counters'))('insert: %s', async (_, survives) => {
    const tenant = newTenant()
    const content = `needle${tenant.code}`
    const keyed = (key: string): NewAlert => newAlert(tenant, { content, idempotency: { key: `${tenant.code} ${key}`, digest: 'd' } })
    await insertOne(store, newAlert(tenant, { content }))
    await dieAt(survives, (doomed) => doomed.alerts.insert(everyone, [keyed('a'), newAlert(tenant, { content }), keyed('b')]))

    // Nobody sees an alert that has no number, and what is seen is whole.
    for (const { alertId, sequence, uuid } of await allOf(tenant)) {
      expect(alertId).toBe(`${tenant.code}-SIEM-${sequence}`)
      expect(await store.alerts.byAlertId(everyone, alertId)).toMatchObject({ uuid })
    }
    await store.alerts.repair(everyone, noon + 1)
    // The source got no answer, so it sends again.
    const again = await store.alerts.insert(everyone, [keyed('a'), newAlert(tenant, { content }), keyed('b')])
    const all = await allOf(tenant)
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

  test('insert: a repeat that finds its predecessor dead does not wait for the sweeper', async () => {
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

  test('insert: repair numbers what is old enough, once', async () => {
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

  test.each(deaths(6, 'runs', 'journal', 'counters', 'cases', 'alerts'))('claim: %s', async (_, survives) => {
    const tenant = newTenant()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(tenant))
    await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claimOf(alert, session)))
    const shown = await alertNow(store, alert.uuid)
    await store.sessions.close(everyone, session)

    // Somebody finds it: as an alert that waits, or as a run without owner.
    const found = [...(await store.alerts.pending(tenant.scope, noon + 1_000, 9)), ...(await store.runs.orphans(tenant.scope, 9))]
    expect(found.map(({ uuid }) => uuid)).toContain(alert.uuid)
    const later = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(later.journal.map(({ position }) => position)).toEqual(numbersTo(later.position - 1).map((n) => n - 1))
    await consistentCase(tenant, alert)
    // A case id that was shown is not taken back.
    if (shown.caseId) expect((await alertNow(store, alert.uuid)).caseId).toBe(shown.caseId)
    const { run, position } = later
    expect(await store.runs.end(everyone, endOf(run.id, run.epoch, position))).toBe('ended')
    expect((await alertNow(store, alert.uuid)).status).toBe(15)

    const other = await investigated(store, tenant)
    expect(other.claimed.run.caseId).not.toBe(run.caseId)
  })

  test.each(deaths(6, 'runs', 'journal', 'counters', 'cases', 'alerts'))(
    'claim of an alert that joins a case, or opens it: %s',
    async (_, survives) => {
      const tenant = newTenant()
      const session = await openSession(store)
      const joining = (alert: Alert, who: SessionId) => {
        const claim = claimOf(alert, who)
        return { ...claim, opening: { ...claim.opening, join: { key: 'k', within: 1_000 } } }
      }
      const [first, second] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      for (const alert of [first, second]) await dieAt(survives, (doomed) => doomed.runs.claim(everyone, joining(alert, session)))
      await store.sessions.close(everyone, session)
      const successor = await openSession(store)
      const claims = [await mustClaim(store, joining(second, successor)), await mustClaim(store, joining(first, successor))]
      const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
      expect(items).toHaveLength(1)
      expect(new Set(items[0]?.alerts.map(({ alertUuid }) => alertUuid))).toEqual(new Set([first.uuid, second.uuid]))
      expect(items[0]?.alerts).toHaveLength(2)
      expect(new Set(claims.map(({ run }) => run.case))).toEqual(new Set([items[0]?.uuid]))
      for (const { uuid } of [first, second]) expect(await alertNow(store, uuid)).toMatchObject({ case: items[0]?.uuid, caseId: items[0]?.caseId })
      const kinds = (await store.cases.timeline(everyone, items[0]!.uuid)).map(({ body }) => body.kind).sort()
      expect(kinds).toEqual(['joined', 'opened'])
    },
  )

  test.each(deaths(9, 'fingerprints', 'runs', 'journal', 'counters', 'cases', 'timeline', 'alerts'))(
    'claims of an alert and of its duplicate: %s',
    async (_, survives) => {
      const tenant = newTenant()
      const session = await openSession(store)
      const claim = (alert: Alert, who: SessionId) => ({ ...claimOf(alert, who), fingerprint: { digest: 'd', within: 1_000 } })
      const alerts = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      // One process, whose writes are counted over both.
      await dieAt(survives, async (doomed) => {
        const claims = []
        for (const alert of alerts) claims.push(await doomed.runs.claim(everyone, claim(alert, session)).catch((error: unknown) => error))
        const fault = claims.find((result) => result instanceof Error)
        if (fault) throw fault
      })
      await store.sessions.close(everyone, session)
      const successor = await openSession(store)
      // The sweeper hands over what waits until nothing does, the later alert first.
      for (let round = 0; round < 3; round += 1) for (const alert of alerts.toReversed()) await store.runs.claim(everyone, claim(alert, successor))
      const now = await Promise.all(alerts.map(({ uuid }) => alertNow(store, uuid)))
      const [first, duplicate] = now.toSorted((a, b) => a.status - b.status)
      expect(first).toMatchObject({ status: 10, duplicateOf: null })
      expect(duplicate).toMatchObject({ status: 15, case: first?.case, caseId: first?.caseId })
      expect(duplicate?.duplicateOf).toEqual({ alertId: first?.alertId, alertUuid: first?.uuid })
      expect((await store.runs.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })).items).toHaveLength(1)
      await consistentCase(tenant, first!)
      expect(await store.alerts.repeats(everyone, first!.uuid)).toMatchObject({ count: 1 })
      const kinds = (await store.cases.timeline(everyone, first!.case!)).map(({ body }) => body.kind).sort()
      expect(kinds).toEqual(['opened', 'repeated'])
      expect(await store.alerts.pending(tenant.scope, noon + 99_999, 9)).toEqual([])
    },
  )

  test.each(deaths(4, 'runs', 'journal', 'cases', 'alerts'))('claim of a duplicate that is retried: %s', async (_, survives) => {
    const tenant = newTenant()
    const session = await openSession(store)
    const fingerprint = { digest: 'd', within: 1_000 }
    const [first, second] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
    await mustClaim(store, { ...claimOf(first, session), fingerprint })
    expect(await store.runs.claim(everyone, { ...claimOf(second, session), fingerprint })).toEqual({ kind: 'duplicate' })
    await store.alerts.retry(everyone, second.uuid, noon + 9)
    await dieAt(survives, (doomed) => doomed.runs.claim(everyone, { ...claimOf(second, session, 2), fingerprint }))
    await store.sessions.close(everyone, session)
    await mustClaim(store, { ...claimOf(second, await openSession(store), 2), fingerprint })
    const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
    expect(items).toHaveLength(1)
    expect(items[0]?.alerts.map(({ alertUuid }) => alertUuid)).toEqual([first.uuid, second.uuid])
    expect(await alertNow(store, second.uuid)).toMatchObject({ status: 10, case: items[0]?.uuid, caseId: items[0]?.caseId, duplicateOf: null })
    const kinds = (await store.cases.timeline(everyone, items[0]!.uuid)).map(({ body }) => body.kind).sort()
    expect(kinds).toEqual(['joined', 'opened', 'repeated'])
  })

  test.each(deaths(3, 'runs', 'journal', 'timeline'))('end of a run that undoes another: %s', async (_, survives) => {
    const { alert, claimed } = await ended(store, newTenant())
    const opening = undoOf(claimed.run.id)
    const { run } = opening
    await store.runs.openUndo(everyone, opening)
    const session = await openSession(store)
    expect(await store.runs.claimUndo(everyone, { run, session, at: noon + 200 })).toMatchObject({ kind: 'claimed', position: 1 })
    const before = await alertNow(store, alert.uuid)
    const end = endOf(run, 1, 1, { entries: [noteOf(`${run}#end`)], at: noon + 300 })
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
    await store.runs.settle(everyone, 99)
    if ((await store.journal.read(everyone, run)).length === 1) await store.runs.end(everyone, end)
    expect(await store.runs.get(everyone, run)).toMatchObject({ state: 'completed', endedAt: noon + 300 })
    expect((await store.cases.timeline(everyone, claimed.run.case)).filter(({ key }) => key === `${run}#end`)).toHaveLength(1)
    expect(await alertNow(store, alert.uuid)).toEqual(before)
  })

  test.each(deaths(2, 'runs', 'journal'))('sleep: %s', async (_, survives) => {
    const { alert, claimed, session } = await investigated(store, newTenant())
    const { run } = claimed
    const sleep = { run: run.id, epoch: 1, position: 1, records: [], wakeAt: noon + 500, at: noon + 50 }
    await dieAt(survives, (doomed) => doomed.runs.sleep(everyone, sleep))
    await store.sessions.close(everyone, session)
    // Either it sleeps, or somebody takes it up and lets it sleep again.
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') {
      expect(await store.runs.sleep(everyone, { ...sleep, epoch: again.run.epoch, position: again.position })).toBe('slept')
    } else expect(again).toEqual({ kind: 'asleep' })
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting', wakeAt: noon + 500 })
    expect(await store.runs.orphans(everyone, 999)).not.toContainEqual(expect.objectContaining({ uuid: alert.uuid }))
  })

  test.each(deaths(3, 'runs', 'journal', 'timeline'))('cancel: %s', async (_, survives) => {
    const { alert, claimed, session } = await investigated(store, newTenant())
    const { run } = claimed
    await store.runs.sleep(everyone, { run: run.id, epoch: 1, position: 1, records: [], wakeAt: null, at: noon + 20 })
    await dieAt(survives, (doomed) => doomed.runs.cancel(everyone, run.id, cancellation))
    // Whoever asked was not answered, and asks again: there is one cancellation, the first that came into the log.
    const again = await store.runs.cancel(everyone, run.id, { ...cancellation, by: 'eve' })
    const records = (await store.journal.read(everyone, run.id)).flatMap((entry) => entry.records)
    const standing = records.filter(({ kind }) => kind === 'cancelled')
    expect(standing).toHaveLength(1)
    expect(again?.run.cancelled).toMatchObject({ by: (standing[0] as { by?: string }).by, reason: 'a drill' })
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'waiting', wakeAt: cancellation.at, cancelled: again?.run.cancelled })
    const told = (await store.cases.timeline(everyone, run.case)).filter(({ body }) => body.kind === 'cancelled')
    expect(told).toMatchObject([{ body: { by: again?.run.cancelled?.by } }])
    expect((await mustClaim(store, claimOf(alert, session, 1, cancellation.at))).run.cancelled).toEqual(again?.run.cancelled)
  })

  test.each(deaths(4, 'journal', 'runs', 'alerts'))('end that another attempt follows: %s', async (_, survives) => {
    const tenant = newTenant()
    const { alert, claimed, session } = await investigated(store, tenant)
    const { run } = claimed
    const end = endOf(run.id, 1, 1, { state: 'failed', retryAt: noon + 900 })
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
    await store.sessions.close(everyone, session)
    await store.runs.settle(everyone, 99)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') await store.runs.end(everyone, { ...end, epoch: again.run.epoch, position: again.position })
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', retryAt: noon + 900 })
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, retryCount: 0 })
    expect(await store.alerts.retryDue(tenant.scope, noon + 899, 9)).toEqual([])
    expect(await store.alerts.retryDue(tenant.scope, noon + 900, 9)).toMatchObject([{ uuid: alert.uuid, retryCount: 1 }])
    // A late end of the first attempt does not touch the second.
    expect(await store.runs.settle(everyone, 99)).toBe(0)
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 5, retryCount: 1 })
  })

  test.each(deaths(4, 'journal', 'runs', 'alerts'))(
    'end that another attempt follows, and somebody cancels before the sweeper comes: %s',
    async (_, survives) => {
      const tenant = newTenant()
      const { alert, claimed, session } = await investigated(store, tenant)
      const { run } = claimed
      const end = endOf(run.id, 1, 1, { state: 'failed', retryAt: noon + 900, entries: [noteOf(`${run.id}#end`)] })
      await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
      await store.sessions.close(everyone, session)
      const answer = await store.runs.cancel(everyone, run.id, cancellation)
      if (answer?.kind === 'over') {
        expect(answer.run).toMatchObject({ state: 'failed', retryAt: noon + 900, cancelled: null })
        expect(await store.runs.dropRetry(everyone, run.id)).toBe(true)
      } else {
        // It had not come as far as the log: whoever takes the run up ends it as cancelled, and nothing is to follow.
        const again = await mustClaim(store, claimOf(alert, await openSession(store)))
        await store.runs.end(everyone, { ...end, epoch: again.run.epoch, position: again.position, retryAt: null })
      }
      await store.runs.settle(everyone, 99)
      expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', retryAt: null })
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, retryCount: 0 })
      expect(await store.alerts.retryDue(tenant.scope, noon + 900, 9)).toEqual([])
      expect((await store.cases.timeline(everyone, run.case)).filter(({ key }) => key === `${run.id}#end`)).toHaveLength(1)
    },
  )

  test.each(deaths(4, 'runs', 'journal', 'alerts'))('claim of a retry: %s', async (_, survives) => {
    const tenant = newTenant()
    const session = await openSession(store)
    const { alert } = await ended(store, tenant)
    await store.alerts.retry(everyone, alert.uuid, noon + 100)
    await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claimOf(alert, session, 2)))
    await store.sessions.close(everyone, session)
    const { run, position } = await mustClaim(store, claimOf(alert, await openSession(store), 2))
    await consistentCase(tenant, alert)
    expect(await store.runs.end(everyone, endOf(run.id, run.epoch, position))).toBe('ended')
    expect((await store.runs.ofAlert(everyone, alert.uuid)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  })

  test.each(deaths(4, 'runs', 'journal'))('takeover: %s', async (_, survives) => {
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
    await consistentCase(tenant, alert)
  })

  test.each(deaths(6, 'journal', 'runs', 'timeline', 'alerts'))('end: %s', async (_, survives) => {
    const tenant = newTenant()
    const { alert, claimed, session } = await investigated(store, tenant)
    const { run } = claimed
    const entries = ['a', 'b'].map((key) => noteOf(`${run.id}#${key}`, noon + 50))
    const end = endOf(run.id, 1, 1, { state: 'failed', reason: 'because', at: noon + 60, entries })
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, end))
    await store.sessions.close(everyone, session)

    const fenced = (await store.journal.read(everyone, run.id)).length === 2
    const lagged = fenced && ((await alertNow(store, alert.uuid)).status === 10 || (await store.runs.get(everyone, run.id))?.state === 'running')
    const mended = await store.runs.settle(everyone, 99)
    if (lagged) expect(mended).toBe(1)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    expect(again.kind).toBe(fenced ? 'over' : 'claimed')
    if (again.kind === 'claimed') {
      const retold = { ...end, epoch: again.run.epoch, position: again.position }
      expect(await store.runs.end(everyone, retold)).toBe('ended')
    }
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', reason: 'because', endedAt: noon + 60 })
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, completedAt: noon + 60 })
    expect((await store.cases.timeline(everyone, run.case)).slice(1)).toEqual(entries)
    expect(await store.runs.settle(everyone, 99)).toBe(0)
    expect(await store.runs.orphans(tenant.scope, 9)).toEqual([])
  })

  test.each(deaths(5, 'journal', 'runs', 'timeline', 'alerts'))('end, and a claim finds it before the sweeper does: %s', async (_, survives) => {
    const { alert, claimed, session } = await investigated(store, newTenant())
    await dieAt(survives, (doomed) => doomed.runs.end(everyone, endOf(claimed.run.id, 1, 1, { entries: [noteOf('x', noon + 50)] })))
    await store.sessions.close(everyone, session)
    const again = await store.runs.claim(everyone, claimOf(alert, await openSession(store)))
    if (again.kind === 'claimed') return
    // The claim mends it only if the run still looked as if it was running; what else lags is the sweeper's.
    await store.runs.settle(everyone, 99)
    expect(await store.runs.get(everyone, claimed.run.id)).toMatchObject({ state: 'completed' })
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
    expect(await store.cases.timeline(everyone, claimed.run.case)).toHaveLength(2)
  })

  test('a run that cannot be settled keeps back no other', async () => {
    const broken = await investigated(store, newTenant())
    const other = await investigated(store, newTenant())
    for (const { claimed } of [broken, other]) {
      await dieAt(
        (collection) => collection === 'journal',
        (doomed) => doomed.runs.end(everyone, endOf(claimed.run.id, 1, 1)),
      )
    }
    const mark = { '_id.run': broken.claimed.run.id, unsettled: true } as const
    await collections.journal.updateOne(mark, { $set: { entries: 'no JSON' } })
    await expect(store.runs.settle(everyone, 99)).rejects.toThrow('JSON')
    expect((await alertNow(store, other.alert.uuid)).status).toBe(15)
    expect(await collections.journal.countDocuments({ '_id.run': other.claimed.run.id, unsettled: true })).toBe(0)
    await collections.journal.updateOne(mark, { $set: { entries: '[]' } })
    expect(await store.runs.settle(everyone, 99)).toBe(1)
    expect((await alertNow(store, broken.alert.uuid)).status).toBe(15)
  })

  test('settle leaves the runs of other tenants alone', async () => {
    const { alert, claimed } = await investigated(store, newTenant())
    await dieAt(
      (collection) => collection === 'journal',
      (doomed) => doomed.runs.end(everyone, endOf(claimed.run.id, 1, 1)),
    )
    expect(await store.runs.settle(newTenant().scope, 99)).toBe(0)
    expect((await alertNow(store, alert.uuid)).status).toBe(10)
    expect(await store.runs.settle(everyone, 99)).toBe(1)
    expect((await alertNow(store, alert.uuid)).status).toBe(15)
  })

  test.each(deaths(4, 'cases', 'timeline'))('a change of a case, with those before it moving out: %s', async (_, survives) => {
    const { claimed } = await investigated(store, newTenant())
    const id = claimed.run.case
    const keys = numbersTo(31).map((n) => `k${n}`)
    for (const key of keys) await store.cases.record(everyone, id, { title: key }, noteOf(key, noon + 40))
    await dieAt(survives, (doomed) => doomed.cases.record(everyone, id, { title: 'last' }, noteOf('last', noon + 41)))
    const timeline = async () => (await store.cases.timeline(everyone, id)).slice(1).map(({ key }) => key)
    const applied = (await store.cases.get(everyone, id))?.title === 'last'
    expect(await timeline()).toEqual(applied ? [...keys, 'last'] : keys)
    expect(await store.cases.record(everyone, id, { title: 'last' }, noteOf('last', noon + 41))).toMatchObject({ title: 'last' })
    expect(await timeline()).toEqual([...keys, 'last'])
  })

  test.each(deaths(5))('a large output: %s', async (_, survives) => {
    const { claimed } = await investigated(store, newTenant())
    const [first, second] = ['a', 'b'].map((letter) => JSON.stringify(letter.repeat(9 * 1024 * 1024)))
    await dieAt(survives, (doomed) => doomed.journal.putOutput(everyone, claimed.run.id, 'big', first!))
    const before = await store.journal.getOutput(everyone, claimed.run.id, 'big')
    expect(before === null || before === first).toBe(true)
    await store.journal.putOutput(everyone, claimed.run.id, 'big', second!)
    expect((await store.journal.getOutput(everyone, claimed.run.id, 'big')) === (before ?? second)).toBe(true)
  })

  test('each way to die of a claim is one', async () => {
    for (const [name, survives] of deaths(5, 'runs', 'journal', 'counters', 'cases', 'alerts')) {
      const alert = await insertOne(store, newAlert(newTenant()))
      const died = await dieAt(survives, (doomed) => doomed.runs.claim(everyone, claimOf(alert, uuid<SessionId>())))
      expect([name, died]).toEqual([name, true])
    }
  })
})
