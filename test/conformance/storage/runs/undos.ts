import { expect, test } from 'vitest'
import { noDeaths, type RunId, undoRunId } from '../../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  cancellation,
  doneRecord,
  ended,
  endOf,
  everyone,
  failedUntil,
  investigated,
  mustClaimUndo,
  newTenant,
  noon,
  noteOf,
  openSession,
  sleepOf,
  undoOf,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

export function undoCases(at: At): void {
  /** Returns a run that has ended, and an opening that undoes it. */
  async function opened() {
    const { store } = at()
    const tenant = newTenant()
    const { alert, claimed } = await ended(store, tenant)
    const opening = undoOf(claimed.run.id)
    const run = await store.runs.openUndo(everyone, opening)
    return { store, tenant, alert, undone: claimed.run, opening, run: run! }
  }

  test('openUndo creates a waiting run that is due, in the case of the run that it undoes', async () => {
    const { store, tenant, alert, undone, opening, run } = await opened()
    const { id: _, ...same } = { ...undone, undo: opening.undo, pins: opening.pins }
    expect(run).toEqual({ ...same, id: undoRunId(undone.id, 1), state: 'waiting', wakeAt: noon + 200, epoch: 0, owner: '', startedAt: noon + 200 })
    expect(await store.runs.get(everyone, run.id)).toEqual(run)
    expect(await store.runs.due(tenant.scope, noon + 199, 9)).toEqual([])
    expect(await store.runs.due(tenant.scope, noon + 200, 9)).toEqual([
      { run: run.id, uuid: alert.uuid, organization: tenant.id, type: undone.type, retryCount: 0, deaths: noDeaths },
    ])
    expect((await store.runs.list(tenant.scope, { after: null, limit: 9 })).items.map(({ id }) => id)).toEqual([run.id, undone.id])
  })

  test('it is no attempt of the alert, and the alert does not change', async () => {
    const { store, alert, undone, run } = await opened()
    const before = await alertNow(store, alert.uuid)
    const { position } = await mustClaimUndo(store, run.id)
    expect((await store.runs.ofAlert(everyone, alert.uuid)).map(({ id }) => id)).toEqual([undone.id])
    await store.runs.end(everyone, endOf(run.id, 1, position, { state: 'failed', at: noon + 300 }))
    await store.runs.settle(everyone, 99)
    expect(await alertNow(store, alert.uuid)).toEqual(before)
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', endedAt: noon + 300 })
  })

  test('the undos of an alert are found together, in the order in which they were opened', async () => {
    const { store, alert, undone, run } = await opened()
    const second = await store.runs.openUndo(everyone, undoOf(undone.id, 2, noon + 400))
    const third = await store.runs.openUndo(everyone, undoOf(undone.id, 10, noon + 400))
    expect(await store.runs.undosOfAlert(everyone, alert.uuid)).toEqual([run, second, third])
    expect(await store.runs.undosOfAlert(everyone, (await ended(store, newTenant())).alert.uuid)).toEqual([])
  })

  test('its end does not end an investigation that continues meanwhile', async () => {
    const { store, alert, run } = await opened()
    await store.alerts.retry(everyone, alert.uuid, noon + 210)
    const { position } = await mustClaimUndo(store, run.id)
    await store.runs.end(everyone, endOf(run.id, 1, position))
    expect(await alertNow(store, alert.uuid)).toMatchObject({ status: 5, retryCount: 1, completedAt: null })
  })

  test('cancelling it drops no retry of the alert', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { alert, run } = await failedUntil(store, tenant, noon + 900)
    const undoing = await store.runs.openUndo(everyone, undoOf(run.id))
    const { position } = await mustClaimUndo(store, undoing!.id)
    await store.runs.end(everyone, endOf(undoing!.id, 1, position, { state: 'failed', at: noon + 300 }))
    expect(await store.runs.dropRetry(everyone, undoing!.id)).toBe(false)
    expect(await store.alerts.retryDue(tenant.scope, noon + 900, 9)).toMatchObject([{ uuid: alert.uuid }])
  })

  test('an existing one with the same id stays, however many callers ask at once', async () => {
    const { store, undone, opening, run } = await opened()
    const other = { ...undoOf(undone.id, 1, noon + 500), undo: { ...opening.undo, reason: 'Another one.' } }
    const answers = await Promise.all([1, 2, 3].map(() => store.runs.openUndo(everyone, other)))
    expect(answers).toEqual([run, run, run])
    expect((await store.runs.openUndo(everyone, undoOf(undone.id, 2)))?.id).toBe(undoRunId(undone.id, 2))
  })

  test('a run that has not ended is not undone, and neither is an unknown one', async () => {
    const { store } = at()
    const { claimed } = await investigated(store, newTenant())
    for (const run of [claimed.run.id, `${claimed.run.id}0` as RunId]) {
      expect(await store.runs.openUndo(everyone, undoOf(run))).toBeNull()
      expect(await store.runs.get(everyone, undoRunId(run, 1))).toBeNull()
    }
  })

  test('claimUndo claims it when it is due, and takes it over from a dead session under the next epoch', async () => {
    const { store, tenant, run } = await opened()
    const session = await openSession(store)
    expect(await store.runs.claimUndo(everyone, { run: run.id, session, at: noon + 199 })).toEqual({ kind: 'asleep' })
    const first = await mustClaimUndo(store, run.id)
    expect(first).toMatchObject({ position: 1, journal: [], run: { ...run, state: 'running', wakeAt: null, epoch: 1, owner: first.session } })
    expect(await store.runs.claimUndo(everyone, { run: run.id, session, at: noon + 300 })).toEqual({ kind: 'held' })
    await store.journal.append(everyone, run.id, { position: 1, epoch: 1, format: 1, records: [doneRecord('undo-1', 1)] })
    await store.sessions.close(everyone, first.session)
    expect(await store.runs.orphans(tenant.scope, 9)).toMatchObject([{ run: run.id }])
    const second = await mustClaimUndo(store, run.id)
    expect(second).toMatchObject({ position: 3, run: { epoch: 2, startedAt: noon + 200 } })
    expect(second.journal.map(({ position }) => position)).toEqual([0, 1])
    expect(await store.runs.end(everyone, endOf(run.id, 1, 2))).toBe('superseded')
    expect(await store.runs.end(everyone, endOf(run.id, 2, 3, { entries: [noteOf(`${run.id}#end`)] }))).toBe('ended')
    expect((await wholeTimeline(store, everyone, run.case)).map(({ key }) => key)).toContain(`${run.id}#end`)
    expect(await store.runs.claimUndo(everyone, { run: run.id, session, at: noon + 900 })).toEqual({ kind: 'over' })
  })

  test('it sleeps and wakes like any run', async () => {
    const { store, tenant, run } = await opened()
    await mustClaimUndo(store, run.id)
    expect(await store.runs.sleep(everyone, sleepOf(run.id, 1, 1, null))).toBe('slept')
    expect(await store.runs.due(tenant.scope, noon + 999, 9)).toEqual([])
    await store.runs.wake(everyone, run.id, noon + 220)
    expect((await store.runs.due(tenant.scope, noon + 220, 9)).map(({ run }) => run)).toEqual([run.id])
    expect(await mustClaimUndo(store, run.id, noon + 220)).toMatchObject({ run: { epoch: 2 } })
  })

  test('it is cancelled like any run, even before its first claim', async () => {
    const { store, run } = await opened()
    expect(await store.runs.cancel(everyone, run.id, cancellation)).toMatchObject({ kind: 'cancelled', run: { id: run.id } })
    const { position, journal } = await mustClaimUndo(store, run.id, noon + 202)
    expect(position).toBe(2)
    expect(journal.flatMap(({ records }) => records)).toMatchObject([{ kind: 'cancelled' }])
  })

  test('claimUndo does not claim a run that investigates', async () => {
    const { store, undone } = await opened()
    expect(await store.runs.claimUndo(everyone, { run: undone.id, session: await openSession(store), at: noon + 300 })).toEqual({ kind: 'over' })
  })
}
