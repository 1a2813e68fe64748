import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type AlertUuid,
  asId,
  type CaseUuid,
  type Decision,
  type OrganizationId,
  type PrincipalId,
  runId,
  type SessionId,
  systemScope,
  withAnswer,
} from '../../../runtime/domain/index.ts'
import { Sweeper } from '../../../runtime/engine/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { HandOver } from '../../../runtime/ingest/index.ts'
import type { Job, Queue } from '../../../runtime/queue/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { openUnhurriedStore } from '../../support/stores/unhurried-store.ts'
import { wholeTimeline } from '../../support/timeline.ts'
import { nobodyAsked } from '../support/nobody-asked.ts'

const organization = asId<OrganizationId>('acme')
let clock: ManualClock
let store: Store
let jobs: Job[]
let sweeper: Sweeper

beforeEach(async () => {
  clock = new ManualClock()
  store = openUnhurriedStore(clock)
  jobs = []
  const queue = { enqueueAgain: async (again: readonly Job[]) => void jobs.push(...again) } as unknown as Queue
  sweeper = new Sweeper(store, queue, clock, createLogger({ level: 'silent' }), 3)
})
afterEach(async () => {
  await store.close()
})

const sweep = (): ReturnType<Sweeper['sweep']> => sweeper.sweep(clock.now() - 5_000)

async function insert(name: string, type: string | null): Promise<AlertUuid> {
  const uuid = asId<AlertUuid>(name)
  const base = { uuid, organization, organizationCode: 'ACME', provider: 'edr', numberedAs: 'ACME-EDR', content: '', name, tokens: [] }
  await store.alerts.insert(systemScope, [{ ...base, type, createdAt: clock.now(), createdAtSource: null, createdBy: asId('p'), idempotency: null }])
  return uuid
}

async function claim(alert: AlertUuid, session: string): Promise<string> {
  const id = asId<SessionId>(session)
  await store.sessions.open(systemScope, { id, host: 'h', pid: 1 })
  const pins = { playbook: { name: 'p', digest: asId<never>('d') }, playbooks: {}, policy: nobodyAsked, plugins: {}, connections: {} }
  const opening = { uuid: asId<CaseUuid>(`case of ${alert}`), title: 't', severity: 'low', join: null } as const
  const { kind } = await store.runs.claim(systemScope, {
    run: runId(alert, 1),
    alert,
    organization,
    type: 't',
    attempt: 1,
    session: id,
    at: clock.now(),
    pins,
    opening,
  })
  return kind
}

test('an alert that was acknowledged and never handed over is found once it is overdue, and not before (complaint 3)', async () => {
  const alert = await insert('a', 'Some Type')
  await insert('no type', null)
  await sweep()
  expect(jobs).toEqual([])
  clock.advance(5_001)
  expect(await sweep()).toMatchObject({ handedOver: 1 })
  expect(jobs).toEqual([{ run: runId(alert, 1), alert, organization, type: 'some type', attempt: 1, again: true }])
  expect((await store.alerts.get(systemScope, [alert]))[0]?.status).toBe(5)
})

test('an alert that was handed over and lost is handed over again, each time it is overdue', async () => {
  const alert = await insert('a', 't')
  await store.alerts.submit(systemScope, [alert], clock.now())
  for (let round = 1; round <= 3; round++) {
    clock.advance(5_001)
    await sweep()
    await sweep()
    expect(jobs).toHaveLength(round)
  }
})

test('an alert of a process that died before it recorded the handover is handed over once more, and only one of both jobs gets its run', async () => {
  const alert = await insert('a', 't')
  const queue = { enqueue: async (handed: readonly Job[]) => void jobs.push(...handed) } as unknown as Queue
  const doomed = new ManualClock(clock.now())
  new HandOver(store.alerts, queue, doomed, createLogger({ level: 'silent' })).handOver(await store.alerts.get(systemScope, [alert]))
  expect(jobs).toHaveLength(1)
  // Its clock stands still from here on: it never records anything.
  clock.advance(5_000)
  await sweep()
  expect(jobs).toHaveLength(1)
  clock.advance(1)
  await sweep()
  expect(jobs).toMatchObject([{ run: runId(alert, 1) }, { run: runId(alert, 1), again: true }])
  expect(await claim(alert, 's1')).toBe('claimed')
  expect(await claim(alert, 's2')).not.toBe('claimed')
})

test('an alert that a living session works on is left alone', async () => {
  const alert = await insert('a', 't')
  await claim(alert, 's1')
  clock.advance(9_000)
  await sweep()
  expect(jobs).toEqual([])
})

test('a run whose session has been silent for too long is free, and handed over (complaint 1)', async () => {
  const alert = await insert('a', 't')
  await claim(alert, 's1')
  clock.advance(10_001)
  expect(await sweep()).toMatchObject({ buried: 1, orphans: 1 })
  expect(jobs).toMatchObject([{ run: runId(alert, 1) }])
})

test('an ended run stays as it is, however often it is swept or claimed again (complaint 2)', async () => {
  const [completed, failed] = [await insert('a', 't'), await insert('b', 't')]
  for (const [alert, state] of [
    [completed, 'completed'],
    [failed, 'failed'],
  ] as const) {
    await claim(alert, `s of ${alert}`)
    const failure = state === 'failed' ? { code: 'run_stopped', message: 'm', remedy: null, step: null } : null
    const end = {
      run: runId(alert, 1),
      epoch: 1,
      position: 1,
      records: [],
      state,
      reason: null,
      failure,
      retryAt: null,
      at: clock.now(),
      entries: [],
    }
    expect(await store.runs.end(systemScope, end)).toBe('ended')
  }
  const everything = async () => ({
    alerts: await store.alerts.get(systemScope, [completed, failed]),
    runs: await store.runs.list(systemScope, { after: null, limit: 9 }),
    cases: await store.cases.list(systemScope, { after: null, limit: 9 }),
    journals: await Promise.all([completed, failed].map((alert) => store.journal.read(systemScope, runId(alert, 1)))),
  })
  const before = await everything()
  for (let round = 0; round < 3; round++) {
    clock.advance(60_000)
    await sweep()
    // A job that came twice, or that an older process still has.
    for (const alert of [completed, failed]) await claim(alert, `s${round} of ${alert}`)
  }
  expect(jobs).toEqual([])
  expect(await everything()).toEqual(before)
})

test('a sleeping run is handed over when its time has come, and not before', async () => {
  const alert = await insert('a', 't')
  await claim(alert, 's1')
  await store.runs.sleep(systemScope, { run: runId(alert, 1), epoch: 1, position: 1, records: [], wakeAt: clock.now() + 60_000, at: clock.now() })
  clock.advance(59_999)
  expect(await sweep()).toMatchObject({ woken: 0, orphans: 0, handedOver: 0 })
  clock.advance(1)
  expect(await sweep()).toMatchObject({ woken: 1 })
  expect(jobs).toEqual([{ run: runId(alert, 1), alert, organization, type: 't', attempt: 1, again: true }])
})

test('many due runs that nobody takes do not hide those after them', async () => {
  for (let index = 0; index < 2_100; index++) {
    const alert = await insert(`alert ${index}`, 't')
    await claim(alert, `s${index}`)
    await store.runs.sleep(systemScope, { run: runId(alert, 1), epoch: 1, position: 1, records: [], wakeAt: clock.now(), at: clock.now() })
  }
  const woken = [await sweep(), await sweep(), await sweep(), await sweep()].map((swept) => swept.woken)
  expect(woken).toEqual([1_000, 1_000, 100, 1_000])
  expect(new Set(jobs.map(({ run }) => run)).size).toBe(2_100)
})

test('a decision whose process died after closing it still wakes its run, and is announced once', async () => {
  const alert = await insert('a', 't')
  await claim(alert, 's1')
  const run = (await store.runs.get(systemScope, runId(alert, 1)))!
  await store.runs.sleep(systemScope, { run: run.id, epoch: 1, position: 1, records: [], wakeAt: null, at: clock.now() })
  const decision = await store.decisions.open(systemScope, {
    id: asId('d'),
    kind: 'approval',
    organization,
    run: run.id,
    alert,
    case: run.case,
    caseId: run.caseId,
    playbook: run.pins.playbook,
    step: 'ask',
    title: 'May it?',
    actions: [],
    by: [],
    approvers: 1,
    askedAt: clock.now(),
    expiresAt: null,
    state: 'open',
    answers: [],
    closedAt: null,
    revision: 1,
  })
  const ada = {
    id: asId<PrincipalId>('ada'),
    name: 'Ada',
    permissions: ['admin'] as const,
    organizations: 'all' as const,
    createdAt: 0,
    createdBy: null,
  }
  const answer = { principal: ada.id, by: 'Ada', verdict: 'approve', reason: null, output: null, at: clock.now() } as const
  await store.decisions.revise(systemScope, withAnswer(decision, ada, answer, new Map()) as Decision)
  expect(await sweep()).toMatchObject({ told: 1, woken: 1 })
  expect(jobs).toMatchObject([{ run: run.id }])
  expect(await wholeTimeline(store, systemScope, run.case)).toContainEqual(
    expect.objectContaining({ actor: { principal: 'ada' }, body: expect.objectContaining({ kind: 'decision', state: 'approved', by: ['Ada'] }) }),
  )
  expect(await sweep()).toMatchObject({ told: 0 })
})

test('a decision that cannot be announced holds back no alert', async () => {
  await insert('an alert', 't')
  vi.spyOn(store.decisions, 'untold').mockResolvedValueOnce([{ id: 'd' } as Decision])
  expect(await sweeper.sweep(clock.now() + 1)).toMatchObject({ told: 0, handedOver: 1 })
})

test.each(['settle', 'repair'] as const)('a failed %s holds back no alert and no run; an unreachable store does', async (which) => {
  await insert('an alert', 't')
  const failing = which === 'settle' ? vi.spyOn(store.runs, 'settle') : vi.spyOn(store.alerts, 'repair')
  failing.mockRejectedValueOnce(new Error('the document is too large'))
  expect(await sweeper.sweep(clock.now() + 1)).toMatchObject({ settled: 0, repaired: 0, handedOver: 1 })
  failing.mockRejectedValueOnce(new TocsinError('store_unavailable', 'away'))
  await expect(sweeper.sweep(clock.now() + 1)).rejects.toThrow('away')
})

test('at the start of a process everything that waits is handed over, however recent and however many', async () => {
  for (let index = 0; index < 1_203; index++) await insert(`alert ${index}`, 't')
  await sweeper.sweepAll()
  expect(new Set(jobs.map(({ run }) => run)).size).toBe(1_203)
})

/** An investigation that failed, with an automatic retry due in a minute. */
async function failedOnce(): Promise<AlertUuid> {
  const alert = await insert('a', 't')
  await claim(alert, 's')
  const failure = { code: 'network', message: 'reset', remedy: null, step: 'look' }
  const due = { retryAt: clock.now() + 60_000, at: clock.now() }
  const end = { run: runId(alert, 1), epoch: 1, position: 1, records: [], state: 'failed', reason: null, failure, entries: [], ...due } as const
  await store.runs.end(systemScope, end)
  return alert
}

test('an automatic retry is handed over when it is due, and not before', async () => {
  const alert = await failedOnce()
  clock.advance(59_999)
  expect(await sweep()).toMatchObject({ retried: 0, handedOver: 0 })
  expect(jobs).toEqual([])
  clock.advance(1)
  expect(await sweep()).toMatchObject({ retried: 1 })
  expect(jobs).toEqual([{ run: runId(alert, 2), alert, organization, type: 't', attempt: 2, again: true }])
  expect((await store.alerts.get(systemScope, [alert]))[0]).toMatchObject({ status: 5, retryCount: 1 })
  expect(await sweep()).toMatchObject({ retried: 0 })
})

test('a retry whose process died before the handover is found like any waiting alert', async () => {
  const alert = await failedOnce()
  clock.advance(60_000)
  const lost = { enqueueAgain: () => Promise.reject(new Error('the process died')) } as unknown as Queue
  await expect(new Sweeper(store, lost, clock, createLogger({ level: 'silent' }), 3).sweep(0)).rejects.toThrow('the process died')
  clock.advance(5_001)
  expect(await sweep()).toMatchObject({ retried: 0, handedOver: 1 })
  expect(jobs).toEqual([{ run: runId(alert, 2), alert, organization, type: 't', attempt: 2, again: true }])
})
