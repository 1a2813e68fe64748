import { describe, expect, test } from 'vitest'
import { type Alert, type AlertUuid, asId, emptyDesk, noDeaths, noMarks, type RunId, runId } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  claimedBy,
  claimOf,
  doneRecord,
  ended,
  endOf,
  entryAt,
  everyone,
  insertOne,
  investigated,
  justStored,
  mustClaim,
  newAlert,
  newTenant,
  noon,
  noteOf,
  numbersTo,
  openSession,
  rising,
  showingLater,
  uuid,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

const failure = { code: 'network', message: 'reset', remedy: null, step: 'isolate/3', vendor: { 'error.Id': 'x', $n: 4 } }

/** Claims, executes and ends a run, as a worker does. Returns the id of its case. */
async function executeRun(store: Store, alert: Parameters<typeof claimOf>[0], session: Parameters<typeof claimOf>[1]): Promise<string> {
  const { run, position } = await mustClaim(store, claimOf(alert, session))
  for (const step of [0, 1, 2]) await store.journal.append(everyone, run.id, entryAt(position + step, run.epoch))
  await store.runs.end(everyone, endOf(run.id, run.epoch, position + 3, { entries: [noteOf(`${run.id}#end`)] }))
  return run.caseId
}

export function runCases(at: At): void {
  describe('claim of a new run', () => {
    test('returns the run in its first epoch, with an empty journal', async () => {
      const { store } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const alert = await insertOne(store, newAlert(tenant))
      const claim = claimOf(alert, session)
      const result = await mustClaim(store, claim)
      const { run, type, attempt, pins } = claim
      const common = { alert: alert.uuid, organization: tenant.id, type, attempt, pins, startedAt: claim.at }
      const expected = {
        ...common,
        id: run,
        undo: null,
        state: 'running',
        wakeAt: null,
        epoch: 1,
        owner: session,
        deaths: noDeaths,
        case: claim.opening.uuid,
        caseId: `${tenant.code}-1`,
        endedAt: null,
        reason: null,
        failure: null,
        retryAt: null,
        cancelled: null,
      }
      expect(result).toEqual({ kind: 'claimed', position: 1, journal: [], heldSince: null, run: expected })
      expect(await store.runs.get(everyone, run)).toEqual(expected)
      expect(await store.runs.ofAlert(everyone, alert.uuid)).toEqual([expected])
    })

    test('that its alert may show later is shown when the store says so, or with the end', async () => {
      const { store } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const [slow, quick] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      const claim = async (alert: Alert) => {
        const claimed = claimedBy(await store.runs.claim(everyone, showingLater(justStored(claimOf(alert, session), alert))))
        await claimed.opened
        expect(await store.runs.get(everyone, claimed.run.id)).toEqual(claimed.run)
        return claimed
      }
      const first = await claim(slow)
      await first.shown
      const shown = { investigator: 'phishing-reported', case: first.run.case, caseId: first.run.caseId }
      expect(await alertNow(store, slow.uuid)).toMatchObject({ status: 10, modifiedAt: noon + 10, ...shown })
      const { run, shown: told } = await claim(quick)
      expect(await store.runs.end(everyone, endOf(run.id, 1, 1, { at: noon + 60 }))).toBe('ended')
      await told
      const ended = {
        status: 15,
        investigator: 'phishing-reported',
        case: run.case,
        caseId: run.caseId,
        modifiedAt: noon + 60,
        completedAt: noon + 60,
      }
      expect(await alertNow(store, quick.uuid)).toMatchObject(ended)
      expect(await store.alerts.pending(tenant.scope, noon + 9_000, 9)).toEqual([])
    })

    test('that names an alert which was just stored does the same, whoever else claims it', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const tenant = newTenant()
      const [session, otherSession] = [await openSession(store), await openSession(other)]
      const [alert, reread] = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))]
      const named = await mustClaim(store, justStored(claimOf(alert, session), alert))
      expect(named.run).toMatchObject({ epoch: 1, deaths: noDeaths, caseId: `${tenant.code}-1` })
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 10, case: named.run.case, caseId: named.run.caseId })
      expect(await other.runs.claim(everyone, claimOf(alert, otherSession))).toEqual({ kind: 'held' })
      // The alert is not new any more, although the claim says so.
      const read = await mustClaim(other, claimOf(reread, otherSession))
      expect(await store.runs.claim(everyone, justStored(claimOf(reread, session), reread))).toEqual({ kind: 'held' })
      await other.runs.end(everyone, endOf(read.run.id, 1, read.position))
      expect(await store.runs.claim(everyone, justStored(claimOf(reread, session), reread))).toEqual({ kind: 'over' })
      expect(await alertNow(store, reread.uuid)).toMatchObject({ status: 15, caseId: read.run.caseId })
    })

    test('appends who claimed it, before anything else', async () => {
      const { store } = at()
      const { claimed, session } = await investigated(store, newTenant())
      expect(await store.journal.read(everyone, claimed.run.id)).toEqual([
        { position: 0, epoch: 1, format: 1, records: [{ kind: 'claimed', epoch: 1, owner: session, at: claimed.run.startedAt }] },
      ])
    })

    test("opens the alert's case, with an entry that says so", async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert, claimed } = await investigated(store, tenant)
      expect(await store.cases.get(everyone, claimed.run.case)).toEqual({
        uuid: claimed.run.case,
        organization: tenant.id,
        number: 1,
        caseId: `${tenant.code}-1`,
        alerts: [{ alertId: alert.alertId, alertUuid: alert.uuid }],
        title: 'Somebody reported a mail',
        severity: 'medium',
        status: 'new',
        disposition: 'pending',
        marks: noMarks,
        desk: emptyDesk,
        assignee: null,
        summary: null,
        createdAt: claimed.run.startedAt,
        modifiedAt: claimed.run.startedAt,
      })
      const timeline = await wholeTimeline(store, everyone, claimed.run.case)
      expect(timeline).toMatchObject([{ at: claimed.run.startedAt, actor: { run: claimed.run.id }, body: { kind: 'opened' } }])
    })

    test.each([0, 5])('sets the alert from %d to 10, with investigator and case', async (status) => {
      const { store } = at()
      const session = await openSession(store)
      const alert = await insertOne(store, newAlert(newTenant()))
      if (status === 5) await store.alerts.submit(everyone, [alert.uuid], noon + 1)
      const { run } = await mustClaim(store, claimOf(alert, session))
      expect(await alertNow(store, alert.uuid)).toEqual({
        ...alert,
        status: 10,
        modifiedAt: noon + 10,
        investigator: 'phishing-reported',
        case: run.case,
        caseId: run.caseId,
      })
    })

    test('only one of several concurrent sessions succeeds', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const tenant = newTenant()
      const alerts = (
        await store.alerts.insert(
          everyone,
          numbersTo(8).map(() => newAlert(tenant)),
        )
      ).map(({ alert }) => alert)
      const sessions = await Promise.all(numbersTo(4).map(() => openSession(store)))
      for (const alert of alerts) {
        const results = await Promise.all(sessions.map((session, index) => (index % 2 ? store : other).runs.claim(everyone, claimOf(alert, session))))
        expect(results.map(({ kind }) => kind).sort()).toEqual(['claimed', 'held', 'held', 'held'])
        const winner = results.find((result) => result.kind === 'claimed')
        expect(winner).toMatchObject({ position: 1, run: { epoch: 1 } })
        expect((await alertNow(store, alert.uuid)).case).toBe(winner?.run.case)
      }
      const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 100 })
      expect(rising(items.map(({ number }) => number))).toEqual(numbersTo(8))
    })
  })

  describe('a claim is over', () => {
    test('if there is no such alert, or it belongs to another organization', async () => {
      const { store } = at()
      const [tenant, other] = [newTenant(), newTenant()]
      const session = await openSession(store)
      const alert = await insertOne(store, newAlert(tenant))
      const wrong = [claimOf(newAlert(tenant), session), { ...claimOf(alert, session), organization: other.id }]
      for (const claim of wrong) {
        expect(await store.runs.claim(everyone, claim)).toEqual({ kind: 'over' })
        expect(await store.runs.get(everyone, claim.run)).toBeNull()
      }
      expect(await alertNow(store, alert.uuid)).toEqual(alert)
      expect((await mustClaim(store, claimOf(alert, session))).run.caseId).toBe(`${tenant.code}-1`)
    })

    test('if the run has ended', async () => {
      const { store } = at()
      const { alert } = await ended(store, newTenant())
      expect(await store.runs.claim(everyone, claimOf(alert, await openSession(store)))).toEqual({ kind: 'over' })
    })

    test("if it is not the alert's current attempt", async () => {
      const { store } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const fresh = await insertOne(store, newAlert(tenant))
      const { alert: retried } = await ended(store, tenant)
      await store.alerts.retry(everyone, retried.uuid, noon + 200)
      for (const claim of [claimOf(fresh, session, 2), claimOf(retried, session, 1), claimOf(retried, session, 3)])
        expect(await store.runs.claim(everyone, claim)).toEqual({ kind: 'over' })
      expect(await store.runs.ofAlert(everyone, fresh.uuid)).toEqual([])
      expect((await alertNow(store, retried.uuid)).status).toBe(5)
    })
  })

  describe('end', () => {
    test('completes the run: the journal, the run, the case and the alert say so', async () => {
      const { store } = at()
      const { alert, claimed } = await investigated(store, newTenant())
      const { run } = claimed
      const riding = doneRecord('last', { x: 1 })
      const entries = [noteOf(`${run.id}#a`, noon + 90), noteOf(`${run.id}#b`, noon + 90)]
      const end = endOf(run.id, 1, 1, { records: [riding], reason: 'nothing found', at: noon + 91, entries })
      expect(await store.runs.end(everyone, end)).toBe('ended')
      expect((await store.journal.read(everyone, run.id)).at(-1)).toEqual({
        position: 1,
        epoch: 1,
        format: 1,
        records: [riding, { kind: 'ended', state: 'completed', reason: 'nothing found', failure: null, at: noon + 91 }],
      })
      expect(await store.runs.get(everyone, run.id)).toEqual({ ...run, state: 'completed', endedAt: noon + 91, reason: 'nothing found' })
      expect((await wholeTimeline(store, everyone, run.case)).slice(1)).toEqual(entries)
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 15, completedAt: noon + 91, modifiedAt: noon + 91, case: run.case })
    })

    test('fails the run: stores the failure, whatever names its vendor uses', async () => {
      const { store } = at()
      const { alert, claimed } = await investigated(store, newTenant())
      const { run } = claimed
      await store.runs.end(everyone, endOf(run.id, 1, 1, { state: 'failed', failure }))
      expect(await store.runs.get(everyone, run.id)).toEqual({ ...run, state: 'failed', endedAt: noon + 99, failure })
      expect((await store.journal.read(everyone, run.id)).at(-1)?.records).toMatchObject([{ kind: 'ended', failure }])
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 20, completedAt: noon + 99 })
    })

    test('many that end at once with long failures and large entries all end', async () => {
      const { store } = at()
      const tenant = newTenant()
      const session = await openSession(store)
      const long = { ...failure, message: 'x'.repeat(1_500_000) }
      const begun = await Promise.all(
        numbersTo(12).map(async () => {
          const alert = await insertOne(store, newAlert(tenant))
          return { alert, ...(await mustClaim(store, claimOf(alert, session))) }
        }),
      )
      const ends = begun.map(({ run }) => {
        const entries = [noteOf(`${run.id}#end`, noon, 'y'.repeat(500_000))]
        return store.runs.end(everyone, endOf(run.id, 1, 1, { state: 'failed', failure: long, entries }))
      })
      expect(new Set(await Promise.all(ends))).toEqual(new Set(['ended']))
      for (const { run, alert } of begun) {
        expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', failure: long })
        expect((await alertNow(store, alert.uuid)).status).toBe(20)
      }
    })

    test('leaves nothing for settle', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { claimed } = await ended(store, tenant)
      const before = await store.runs.get(everyone, claimed.run.id)
      expect(await store.runs.settle(everyone, 100)).toBe(0)
      expect(await store.runs.get(everyone, claimed.run.id)).toEqual(before)
    })

    test('a second end is superseded and changes nothing', async () => {
      const { store } = at()
      const { alert, claimed } = await ended(store, newTenant())
      const late = endOf(claimed.run.id, 1, claimed.position, { state: 'failed', failure, entries: [noteOf('late')] })
      expect(await store.runs.end(everyone, late)).toBe('superseded')
      expect((await alertNow(store, alert.uuid)).status).toBe(15)
      expect(await store.runs.get(everyone, claimed.run.id)).toMatchObject({ state: 'completed', failure: null })
      expect(await wholeTimeline(store, everyone, claimed.run.case)).toHaveLength(1)
    })

    test('survives a restart', async () => {
      const { alert, claimed } = await ended(at().store, newTenant())
      const before = await at().store.runs.get(everyone, claimed.run.id)
      await at().reopen()
      expect(await at().store.runs.get(everyone, claimed.run.id)).toEqual(before)
      expect((await alertNow(at().store, alert.uuid)).status).toBe(15)
    })
  })

  describe('a retry', () => {
    test('is another run in the same case', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert, claimed: first } = await ended(store, tenant, 'failed')
      await store.alerts.retry(everyone, alert.uuid, noon + 200)
      const second = await mustClaim(store, claimOf(alert, await openSession(store), 2, noon + 300))
      expect(second).toMatchObject({
        position: 1,
        journal: [],
        run: { id: runId(alert.uuid, 2), attempt: 2, epoch: 1, case: first.run.case, caseId: first.run.caseId, startedAt: noon + 300 },
      })
      expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 10, retryCount: 1, case: first.run.case, completedAt: null })
      expect((await store.runs.ofAlert(everyone, alert.uuid)).map(({ attempt, state }) => [attempt, state])).toEqual([
        [1, 'failed'],
        [2, 'running'],
      ])
      await store.runs.end(everyone, endOf(second.run.id, 1, 1))
      expect((await alertNow(store, alert.uuid)).status).toBe(15)
      const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
      expect(items.map(({ uuid: id, number }) => [id, number])).toEqual([[first.run.case, 1]])
    })
  })

  test('an alert is retried more than nine times in order', async () => {
    const { store } = at()
    const session = await openSession(store)
    const alert = await insertOne(store, newAlert(newTenant()))
    for (const attempt of numbersTo(11)) {
      const { run } = await mustClaim(store, claimOf(alert, session, attempt))
      await store.runs.end(everyone, endOf(run.id, 1, 1))
      await store.alerts.retry(everyone, alert.uuid, noon + 200)
    }
    expect((await store.runs.ofAlert(everyone, alert.uuid)).map(({ attempt }) => attempt)).toEqual(numbersTo(11))
  })

  test('many concurrent runs all end, and their cases are numbered without a gap', async () => {
    const { store } = at()
    const other = (await at().second()) ?? store
    const tenant = newTenant()
    const sessions = [await openSession(store), await openSession(store)] as const
    const alerts = (
      await store.alerts.insert(
        everyone,
        numbersTo(64).map(() => newAlert(tenant)),
      )
    ).map(({ alert }) => alert)
    const caseIds = await Promise.all(
      alerts.map((alert, index) => (index % 2 ? executeRun(store, alert, sessions[0]) : executeRun(other, alert, sessions[1]))),
    )
    expect(rising(caseIds.map((caseId) => Number(caseId.slice(tenant.code.length + 1))))).toEqual(numbersTo(64))
    const now = await store.alerts.get(
      everyone,
      alerts.map(({ uuid: id }) => id),
    )
    expect(now.map(({ status, caseId }) => [status, caseId])).toEqual(caseIds.map((caseId) => [15, caseId]))
    expect(await store.runs.settle(everyone, 100)).toBe(0)
  })

  test('unknown ids are null or empty', async () => {
    const { store } = at()
    expect(await store.runs.get(everyone, asId<RunId>('nobody-r1'))).toBeNull()
    expect(await store.runs.ofAlert(everyone, uuid<AlertUuid>())).toEqual([])
  })
}
