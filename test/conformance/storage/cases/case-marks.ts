import { expect, test } from 'vitest'
import {
  asId,
  type CaseUuid,
  needsAttention,
  type PrincipalId,
  type RunId,
  supersededBy,
  type TimelineBody,
  type TimelineEntry,
  undoRunId,
} from '../../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import { endOf, everyone, investigated, mustClaimUndo, newTenant, noon, noteOf, numbersTo, undoOf } from '../fixtures.ts'
import type { At } from '../harness.ts'

const ada = asId<PrincipalId>('0197a000-0000-7000-8000-00000000adad')

/**
 * Checks that stores apply what an entry implies for its case, once, and together with the entry. What an
 * entry implies is tested in `runtime/domain/cases/case-marks.test.ts`.
 */
export function caseMarkCases(at: At): void {
  const entryOf = (key: string, body: TimelineBody, later = 300): TimelineEntry => ({
    key,
    at: noon + later,
    actor: body.kind === 'undo' ? { principal: ada } : { run: asId<RunId>('r'), step: '' },
    body,
  })
  const failure = (run: RunId, alert: string, retryAt: number | null = null): TimelineEntry =>
    entryOf(`${run}#failure`, {
      kind: 'failure',
      code: 'network',
      text: 'ask: No route',
      ended: { run, alert: asId(alert), alertId: 'T-SIEM-1', attempt: 1, message: 'No route', remedy: 'Look', step: 'ask', retryAt },
    })
  const asked = (undo: RunId, undoes: RunId): TimelineEntry =>
    entryOf(`${undo}#undo`, { kind: 'undo', undoes, text: 'Drill', asked: { undo, by: 'Ada', reason: 'A drill' } })
  const undone = (undo: RunId, undoes: RunId, changed = true): TimelineEntry =>
    entryOf(`${undo}#undone`, {
      kind: 'undone',
      ...{ undo, undoes, principal: ada, by: 'Ada', reason: 'A drill', state: changed ? 'undone' : 'nothing', changed },
      ...{ undone: changed ? 1 : 0, standing: changed ? 0 : 1, inDoubt: 0 },
      text: '',
    })

  /** Returns a run that has ended, in a case whose disposition it set to contained. */
  async function contained() {
    const { store } = at()
    const tenant = newTenant()
    const { claimed, alert } = await investigated(store, tenant)
    const { run } = claimed
    await store.cases.record(everyone, run.case, { status: 'contained' }, noteOf(`${run.id}#contained`))
    await store.cases.record(everyone, run.case, { summary: 'Suspended' }, noteOf(`${run.id}#verdict`))
    await store.runs.end(everyone, endOf(run.id, 1, claimed.position))
    return { store, tenant, run, alert, now: async () => (await store.cases.get(everyone, run.case))! }
  }
  /** Returns what the timeline says about some entries. */
  const bodies = async (uuid: CaseUuid, kind: string) =>
    (await wholeTimeline(at().store, everyone, uuid)).flatMap(({ body }) => (body.kind === kind ? [body] : []))

  test('a case begins without marks', async () => {
    const { store } = at()
    const { claimed } = await investigated(store, newTenant())
    const found = await store.cases.get(everyone, claimed.run.case)
    expect(found?.marks).toEqual({ failures: [], doubts: [], undos: [] })
  })

  test('the end of a run changes its case together with the entry that says so', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { claimed, alert } = await investigated(store, tenant)
    const { run, position } = claimed
    const end = endOf(run.id, 1, position, { state: 'failed', entries: [failure(run.id, alert.uuid), noteOf('beside', noon + 300)] })
    expect(await store.runs.end(everyone, end)).toBe('ended')
    expect(await store.cases.get(everyone, run.case)).toMatchObject({
      status: 'analyst_pending',
      marks: { failures: [{ run: run.id, code: 'network', step: 'ask', remedy: 'Look', at: noon + 300 }] },
    })
    expect(await bodies(run.case, 'failure')).toMatchObject([{ status: 'analyst_pending', ended: { run: run.id } }])
    await store.runs.settle(everyone, 99)
    expect(await bodies(run.case, 'failure')).toHaveLength(1)
    expect((await wholeTimeline(store, everyone, run.case)).map(({ key }) => key)).toContain('beside')
  })

  test('an undo removes "contained" when it begins, and restores it if it ends without undoing anything', async () => {
    const { store, run, now } = await contained()
    const undo = undoRunId(run.id, 1)
    const opened = await store.runs.openUndo(everyone, undoOf(run.id))
    expect(await store.cases.record(everyone, run.case, null, asked(undo, run.id))).toMatchObject({ status: 'analyst_pending' })
    // A process that resumes the undo records it again.
    await store.cases.record(everyone, run.case, null, asked(undo, run.id))
    expect((await now()).marks.undos).toMatchObject([{ undo, undoes: run.id, by: 'Ada', reason: 'A drill', principal: ada, state: 'under_way' }])
    expect(supersededBy((await now()).marks)).toMatchObject({ undo })
    const { position } = await mustClaimUndo(store, opened!.id)
    await store.runs.end(everyone, endOf(undo, 1, position, { state: 'failed', at: noon + 400, entries: [undone(undo, run.id, false)] }))
    expect(await now()).toMatchObject({ status: 'contained', marks: { undos: [{ state: 'nothing' }] } })
    expect(await bodies(run.case, 'undone')).toMatchObject([{ status: 'contained' }])
  })

  test('an undo that undid something leaves no case contained, in whatever order the processes record it', async () => {
    const { store, run, now } = await contained()
    const other = (await at().second()) ?? store
    const undo = undoRunId(run.id, 1)
    await store.cases.record(everyone, run.case, null, asked(undo, run.id))
    const said = [0, 1, 2, 3].map((n) => (n % 2 ? store : other).cases.record(everyone, run.case, null, undone(undo, run.id)))
    await Promise.all([
      ...said,
      ...[4, 5].map((n) => (n % 2 ? store : other).cases.record(everyone, run.case, { assignee: `${n}` }, noteOf(`note ${n}`))),
      other.cases.record(everyone, run.case, null, asked(undo, run.id)),
    ])
    expect(await now()).toMatchObject({ status: 'analyst_pending', assignee: expect.stringMatching(/[45]/), marks: { undos: [{ state: 'undone' }] } })
    expect(await bodies(run.case, 'undone')).toHaveLength(1)
  })

  test('concurrent marks are all stored', async () => {
    const { store, run, now } = await contained()
    const other = (await at().second()) ?? store
    await Promise.all(
      numbersTo(24).map((n) => (n % 2 ? store : other).cases.record(everyone, run.case, null, failure(asId(`${run.id}x${n}`), `alert ${n}`))),
    )
    expect((await now()).marks.failures.map(({ alert }) => alert).sort()).toEqual(
      numbersTo(24)
        .map((n) => `alert ${n}`)
        .sort(),
    )
    expect((await now()).status).toBe('contained')
  })

  test('cases that need attention are listed separately', async () => {
    const { store, tenant, run, alert, now } = await contained()
    const calm = await investigated(store, tenant)
    const list = async (attention?: boolean) => {
      const { items } = await store.cases.list(tenant.scope, { ...(attention !== undefined && { attention }), after: null, limit: 9 })
      return items.map(({ uuid }) => uuid).sort()
    }
    expect(await list(true)).toEqual([])
    await store.cases.record(everyone, run.case, null, failure(run.id, alert.uuid))
    expect(needsAttention((await now()).marks)).toBe(true)
    expect(await list(true)).toEqual([run.case])
    expect(await list(false)).toEqual([calm.claimed.run.case])
    expect(await list()).toEqual([run.case, calm.claimed.run.case].sort())
    // A person looks at it.
    await store.cases.record(everyone, run.case, { status: 'in_progress' }, noteOf('mine'))
    expect((await now()).marks).toEqual({ failures: [], doubts: [], undos: [] })
    expect(await list(true)).toEqual([])
  })

  test('survives a restart', async () => {
    const { run } = await contained()
    await at().store.cases.record(everyone, run.case, null, asked(undoRunId(run.id, 1), run.id))
    const before = await at().store.cases.get(everyone, run.case)
    await at().reopen()
    expect(await at().store.cases.get(everyone, run.case)).toEqual(before)
  })
}
