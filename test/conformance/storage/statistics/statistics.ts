import { expect, test } from 'vitest'
import { durationOfStep } from '../../../../runtime/domain/index.ts'
import type { AlertFigures, RunFigures } from '../../../../runtime/storage/index.ts'
import {
  claimOf,
  ended,
  endOf,
  everyone,
  insertOne,
  investigated,
  mustClaim,
  mustClaimUndo,
  newAlert,
  newTenant,
  noon,
  numbersTo,
  openSession,
  undoOf,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

const hour = 3_600_000
const byText = (one: object, other: object): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

export function statisticsCases(at: At): void {
  const range = { from: noon - hour, to: noon + 10 * hour, after: null, examine: 1_000 }

  test('alerts are counted by hour, provider and outcome', async () => {
    const { store } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const fingerprint = { digest: tenant.code, within: hour }
    await ended(store, tenant)
    await ended(store, tenant)
    await ended(store, tenant, 'failed')
    await investigated(store, tenant, newAlert(tenant))
    await mustClaim(store, { ...claimOf(await insertOne(store, newAlert(tenant)), session), fingerprint })
    await store.runs.claim(everyone, { ...claimOf(await insertOne(store, newAlert(tenant)), session), fingerprint })
    for (const later of [0, hour - 1, hour, 2 * hour]) {
      await insertOne(store, newAlert(tenant, { type: null, provider: 'EDR', createdAt: noon - (noon % hour) + later }))
    }
    const figures = await store.statistics.alerts(everyone, { ...range, organizations: [tenant.id] })
    const first = noon - (noon % hour)
    const wanted = [
      { hour: first, provider: 'siem', outcome: 'completed', count: 2 },
      { hour: first, provider: 'siem', outcome: 'failed', count: 1 },
      { hour: first, provider: 'siem', outcome: 'open', count: 2 },
      { hour: first, provider: 'siem', outcome: 'duplicate', count: 1 },
      { hour: first, provider: 'edr', outcome: 'stored', count: 2 },
      { hour: first + hour, provider: 'edr', outcome: 'stored', count: 1 },
      { hour: first + 2 * hour, provider: 'edr', outcome: 'stored', count: 1 },
    ]
    expect(figures.hours.toSorted(byText)).toEqual(wanted.toSorted(byText))
    expect(figures.verdicts).toEqual([{ step: expect.any(Number), count: 2 }])
    expect(Math.abs(durationOfStep(figures.verdicts[0]?.step ?? 0) - 99)).toBeLessThan(5)
    expect(figures.next).toBeNull()
  })

  test('a range includes its start, but not its end', async () => {
    const { store } = at()
    const tenant = newTenant()
    for (const later of [1, 2, 3]) await insertOne(store, newAlert(tenant, { createdAt: noon + later }))
    const { hours } = await store.statistics.alerts(everyone, { ...range, organizations: [tenant.id], from: noon + 1, to: noon + 3 })
    expect(hours).toMatchObject([{ count: 2 }])
  })

  test('parts go on where the last one ended, and count each alert and each run once', async () => {
    const { store } = at()
    const tenant = newTenant()
    for (const _ of numbersTo(5)) await ended(store, tenant)
    const part = { ...range, organizations: [tenant.id], examine: 2 }
    let alerts = 0
    let after: AlertFigures['next'] = null
    do {
      const figures = await store.statistics.alerts(everyone, { ...part, after })
      alerts += figures.hours.reduce((sum, { count }) => sum + count, 0)
      after = figures.next
    } while (after)
    let runs = 0
    let afterRun: RunFigures['next'] = null
    do {
      const figures = await store.statistics.runs(everyone, { ...part, after: afterRun })
      runs += figures.states.reduce((sum, { count }) => sum + count, 0)
      afterRun = figures.next
    } while (afterRun)
    expect([alerts, runs]).toEqual([5, 5])
  })

  test('runs are counted by playbook and state, without undos', async () => {
    const { store } = at()
    const tenant = newTenant()
    const session = await openSession(store)
    const { claimed } = await ended(store, tenant)
    await ended(store, tenant, 'failed')
    const claim = claimOf(await insertOne(store, newAlert(tenant)), session, 1, noon + 40)
    await mustClaim(store, { ...claim, pins: { ...claim.pins, playbook: { ...claim.pins.playbook, name: 'other' } } })
    const undo = undoOf(claimed.run.id)
    await store.runs.openUndo(everyone, undo)
    const { run } = await mustClaimUndo(store, undo.run)
    await store.runs.end(everyone, endOf(run.id, run.epoch, 1))
    const figures = await store.statistics.runs(everyone, { ...range, organizations: [tenant.id] })
    const wanted = [
      { playbook: 'other', state: 'running', count: 1, lastStartedAt: noon + 40 },
      { playbook: 'phishing-reported', state: 'completed', count: 1, lastStartedAt: noon + 10 },
      { playbook: 'phishing-reported', state: 'failed', count: 1, lastStartedAt: noon + 10 },
    ]
    expect(figures.states.toSorted(byText)).toEqual(wanted.toSorted(byText))
    expect(figures.durations).toEqual([{ playbook: 'phishing-reported', step: expect.any(Number), count: 1 }])
    expect(Math.abs(durationOfStep(figures.durations[0]?.step ?? 0) - 89)).toBeLessThan(5)
  })
}
