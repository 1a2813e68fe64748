import { describe, expect, test } from 'vitest'
import { asId, type RunId } from '../../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import {
  alertNow,
  cancellation,
  claimOf,
  ended,
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

export function cancelCases(at: At): void {
  test('a cancellation is in the run, its journal and its case, and the run continues to its end', async () => {
    const { store } = at()
    const { alert, claimed } = await investigated(store, newTenant())
    const { run } = claimed
    expect(await store.runs.cancel(everyone, run.id, cancellation)).toEqual({ kind: 'cancelled', run: { ...run, cancelled: cancellation } })
    expect(await store.runs.get(everyone, run.id)).toEqual({ ...run, cancelled: cancellation })
    expect((await store.journal.read(everyone, run.id)).at(-1)).toEqual({
      position: 1,
      epoch: 1,
      format: 1,
      records: [{ kind: 'cancelled', ...cancellation }],
    })
    expect((await wholeTimeline(store, everyone, run.case)).at(-1)).toEqual({
      key: `${run.id}#cancelled`,
      at: cancellation.at,
      actor: { principal: cancellation.principal },
      body: { kind: 'cancelled', run: run.id, by: 'ada', text: 'a drill' },
    })
    expect((await alertNow(store, alert.uuid)).status).toBe(10)
  })

  test('the owner of the run meets it at the next append, at sleep and at the end', async () => {
    const { store } = at()
    const { claimed } = await investigated(store, newTenant())
    const { run } = claimed
    await store.runs.cancel(everyone, run.id, cancellation)
    expect(await store.journal.append(everyone, run.id, entryAt(1, 1))).toBe('superseded')
    expect(await store.runs.sleep(everyone, sleepOf(run.id, 1, 1, null))).toBe('superseded')
    expect(await store.runs.end(everyone, endOf(run.id, 1, 1))).toBe('superseded')
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'running' })
    expect(await store.runs.end(everyone, endOf(run.id, 1, 2, { state: 'failed' }))).toBe('ended')
    expect(await store.runs.get(everyone, run.id)).toMatchObject({ state: 'failed', cancelled: cancellation })
  })

  test('a second cancellation changes nothing and returns the first', async () => {
    const { store } = at()
    const { claimed } = await investigated(store, newTenant())
    const { id } = claimed.run
    await store.runs.cancel(everyone, id, cancellation)
    const again = await store.runs.cancel(everyone, id, { ...cancellation, by: 'eve', reason: null, at: noon + 60 })
    expect(again).toMatchObject({ kind: 'already', run: { cancelled: cancellation } })
    expect(await store.journal.read(everyone, id)).toHaveLength(2)
    expect((await wholeTimeline(store, everyone, claimed.run.case)).filter(({ body }) => body.kind === 'cancelled')).toHaveLength(1)
  })

  test('only one of several concurrent cancellations counts, even while somebody appends', async () => {
    const { store } = at()
    const other = (await at().second()) ?? store
    const { claimed } = await investigated(store, newTenant())
    const { id } = claimed.run
    const asked = numbersTo(6).map((index) => (index % 2 ? store : other).runs.cancel(everyone, id, { ...cancellation, by: `p${index}` }))
    const [results] = await Promise.all([Promise.all(asked), store.journal.append(everyone, id, entryAt(1, 1))])
    const standing = results.find((result) => result?.kind === 'cancelled')
    expect(results.map((result) => result?.kind).sort()).toEqual(['already', 'already', 'already', 'already', 'already', 'cancelled'])
    expect((await store.runs.get(everyone, id))?.cancelled).toEqual(standing?.run.cancelled)
  })

  test('an ended run is over', async () => {
    const { store } = at()
    const { claimed } = await ended(store, newTenant())
    expect(await store.runs.cancel(everyone, claimed.run.id, cancellation)).toMatchObject({ kind: 'over', run: { cancelled: null } })
    expect(await store.runs.get(everyone, claimed.run.id)).toMatchObject({ state: 'completed', cancelled: null })
    expect(await store.runs.cancel(everyone, asId<RunId>('nobody-r1'), cancellation)).toBeNull()
  })

  describe('a run that sleeps', () => {
    test('is due at once, and its next execution finds the cancellation in the journal', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { alert, claimed } = await investigated(store, tenant)
      const { id } = claimed.run
      await store.runs.sleep(everyone, sleepOf(id, 1, 1, null))
      expect(await store.runs.cancel(everyone, id, cancellation)).toMatchObject({ kind: 'cancelled', run: { state: 'waiting', wakeAt: noon + 30 } })
      expect(await store.runs.due(tenant.scope, noon + 30, 9)).toHaveLength(1)
      const later = await mustClaim(store, claimOf(alert, await openSession(store), 1, noon + 30))
      expect(later.run).toMatchObject({ state: 'running', epoch: 2, cancelled: cancellation })
      expect(later.journal.at(-1)?.records).toEqual([{ kind: 'cancelled', ...cancellation }])
    })

    test('after it was cancelled is due as soon as it sleeps', async () => {
      const { store } = at()
      const tenant = newTenant()
      const { claimed } = await investigated(store, tenant)
      const { id } = claimed.run
      await store.runs.cancel(everyone, id, cancellation)
      expect(await store.runs.sleep(everyone, sleepOf(id, 1, 2, null))).toBe('slept')
      expect(await store.runs.due(tenant.scope, noon + 30, 9)).toHaveLength(1)
    })
  })

  test('a session gets its own running runs that were cancelled', async () => {
    const { store } = at()
    const { alert, claimed, session } = await investigated(store, newTenant())
    const { id } = claimed.run
    expect(await store.runs.cancelled(everyone, session)).toEqual([])
    await store.runs.cancel(everyone, id, cancellation)
    expect(await store.runs.cancelled(everyone, session)).toEqual([id])
    const next = await openSession(store)
    expect(await store.runs.cancelled(everyone, next)).toEqual([])
    await store.sessions.close(everyone, session)
    const later = await mustClaim(store, claimOf(alert, next))
    expect(await store.runs.cancelled(everyone, next)).toEqual([id])
    await store.runs.end(everyone, endOf(id, 2, later.position, { state: 'failed' }))
    expect(await store.runs.cancelled(everyone, next)).toEqual([])
  })

  test('it survives a restart', async () => {
    const { claimed } = await investigated(at().store, newTenant())
    await at().store.runs.cancel(everyone, claimed.run.id, cancellation)
    await at().reopen()
    expect(await at().store.runs.get(everyone, claimed.run.id)).toMatchObject({ cancelled: cancellation })
  })
}
