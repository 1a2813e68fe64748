import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Alert,
  asId,
  type CaseUuid,
  type ConnectionId,
  type Digest,
  type OrganizationId,
  type PauseTarget,
  type RunPins,
  runId,
  type SessionId,
  systemScope,
} from '../../../runtime/domain/index.ts'
import { PausedClaims } from '../../../runtime/engine/worker/paused-claims.ts'
import { Sweeper } from '../../../runtime/engine/worker/sweeper.ts'
import type { Job, Queue } from '../../../runtime/queue/index.ts'
import { openMemoryStore } from '../../../runtime/storage/embedded/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { pause, resume } from '../../support/pauses.ts'
import { until } from '../../support/until.ts'
import { nobodyAsked } from '../support/nobody-asked.ts'

const acme = { organization: asId<OrganizationId>('acme'), code: 'ACME' }
let clock: ManualClock
let store: Store
let handedOver: Job[]
let sweeper: Sweeper
let watch: PausedClaims
let count = 0

beforeEach(() => {
  clock = new ManualClock()
  store = openMemoryStore(clock)
  handedOver = []
  const queue = { enqueueAgain: async (again: readonly Job[]) => void handedOver.push(...again) } as unknown as Queue
  sweeper = new Sweeper(store, queue, clock, createLogger({ level: 'silent' }), 3)
  watch = new PausedClaims(store, clock)
})
afterEach(() => store.close())

const pins: RunPins = {
  playbook: { name: 'main', digest: asId<Digest>('d') },
  playbooks: { inner: asId<Digest>('e') },
  policy: nobodyAsked,
  plugins: {},
  connections: { idp: { id: asId<ConnectionId>('c1'), revision: 1, instance: 'idp' } },
}

async function insert(): Promise<Job> {
  count += 1
  const [inserted] = await store.alerts.insert(systemScope, [
    {
      uuid: asId<Alert['uuid']>(`alert-${count}`),
      organization: acme.organization,
      organizationCode: 'ACME',
      provider: 'edr',
      numberedAs: 'ACME-EDR',
      type: 't',
      content: '{}',
      name: 'n',
      tokens: [],
      createdAt: clock.now(),
      createdAtSource: null,
      createdBy: asId('p'),
      idempotency: null,
    },
  ])
  const { uuid, organization } = inserted!.alert
  return { run: runId(uuid, 1), alert: uuid, organization, type: 't', attempt: 1 }
}

/** A worker claims the run, and then dies or lets it sleep. */
async function claim(job: Job, wakeAt?: number): Promise<void> {
  const session = asId<SessionId>(`session of ${job.run}`)
  await store.sessions.open(systemScope, { id: session, host: 'h', pid: 1 })
  const opening = { uuid: asId<CaseUuid>(`case of ${job.run}`), title: 't', severity: 'low', join: null } as const
  const claimed = await store.runs.claim(systemScope, { ...job, session, at: clock.now(), pins, opening })
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  if (wakeAt !== undefined)
    await store.runs.sleep(systemScope, {
      run: job.run,
      epoch: claimed.run.epoch,
      position: claimed.position,
      records: [],
      wakeAt,
      at: clock.now(),
    })
  await store.sessions.close(systemScope, session)
}

/** Sweeps, and has a worker check the jobs that were handed over. Returns the jobs that it may claim. */
async function round(): Promise<readonly Job[]> {
  handedOver = []
  await sweeper.sweep(clock.now() - 5_000)
  const free: Job[] = []
  for (const job of handedOver) if (!(await watch.holds(job, pins))) free.push(job)
  return free
}

test.each<[string, PauseTarget]>([
  ['everything', { kind: 'everything' }],
  ['the organization', { kind: 'organization', owner: acme }],
  ['the playbook', { kind: 'playbook', playbook: 'main', owner: null }],
  ['the playbook in the organization', { kind: 'playbook', playbook: 'main', owner: acme }],
  ['a playbook that it may run', { kind: 'playbook', playbook: 'inner', owner: null }],
  ['a connection that it may use', { kind: 'connection', connection: asId<ConnectionId>('c1'), instance: 'idp', owner: acme }],
])('with %s paused, alerts, sleeping and orphaned runs are checked once, and continue when it is resumed', async (_what, target) => {
  const [fresh, sleeper, orphan] = [await insert(), await insert(), await insert()]
  await claim(sleeper, clock.now() + 1_000)
  await claim(orphan)
  await pause(store, clock, target)
  clock.advance(6_000)
  expect(await round()).toEqual([])
  expect(handedOver).toHaveLength(3)
  for (let sweeps = 0; sweeps < 5; sweeps += 1) {
    clock.advance(6_000)
    expect(await round()).toEqual([])
    expect(handedOver).toEqual([])
  }
  expect((await store.alerts.get(systemScope, [fresh.alert]))[0]).toMatchObject({ status: 5 })
  await resume(store, clock)
  clock.advance(1_000)
  expect((await round()).map(({ run }) => run).sort()).toEqual([fresh.run, sleeper.run, orphan.run].sort())
})

test.each<[string, PauseTarget]>([
  ['another organization', { kind: 'organization', owner: { organization: asId<OrganizationId>('o'), code: 'O' } }],
  ['another playbook', { kind: 'playbook', playbook: 'other', owner: null }],
  ['the playbook in another organization', { kind: 'playbook', playbook: 'main', owner: { organization: asId<OrganizationId>('o'), code: 'O' } }],
  ['another connection', { kind: 'connection', connection: asId<ConnectionId>('c2'), instance: 'idp', owner: null }],
])('a pause of %s stops nothing', async (_what, target) => {
  const job = await insert()
  await pause(store, clock, target)
  clock.advance(6_000)
  expect(await round()).toMatchObject([job])
})

test('a run is checked by what it has pinned, an alert by what its run would pin', async () => {
  const [fresh, begun] = [await insert(), await insert()]
  await claim(begun, clock.now())
  await pause(store, clock, { kind: 'playbook', playbook: 'newer', owner: null })
  const newer = { ...pins, playbook: { name: 'newer', digest: asId<Digest>('f') } }
  expect(await watch.holds(begun, newer)).toBe(false)
  expect(await watch.holds(fresh, newer)).toBe(true)
})

test('a claim uses pauses that are at most a second old', async () => {
  const job = await insert()
  expect(await watch.holds(job, pins)).toBe(false)
  await pause(store, clock)
  clock.advance(1_000)
  expect(await watch.holds(job, pins)).toBe(true)
  await resume(store, clock)
  clock.advance(1_000)
  expect(await watch.holds(job, pins)).toBe(false)
})

test('a pause that has just ended holds nothing again', async () => {
  const job = await insert()
  await pause(store, clock)
  clock.advance(6_000)
  expect(await round()).toEqual([])
  await watch.holds(job, pins)
  // The clock does not move, so the pause is still cached.
  await resume(store, clock)
  expect(await round()).toMatchObject([{ run: job.run }])
})

test('a sweep that is asked for finds at once what an ended pause held, also if another sweep is under way', async () => {
  const [first, second] = [await insert(), await insert()]
  await pause(store, clock)
  clock.advance(6_000)
  expect(await round()).toEqual([])
  handedOver = []
  sweeper.start()
  sweeper.sweepSoon()
  sweeper.sweepSoon()
  await resume(store, clock)
  sweeper.sweepSoon()
  // The clock does not move, so no regular sweep begins.
  await until(() => handedOver.length === 2)
  expect(handedOver.map(({ run }) => run).sort()).toEqual([first.run, second.run].sort())
  await sweeper.stop()
})

test('a job for a sleeping run before its time does not count as held from then on', async () => {
  const job = await insert()
  const began = clock.now()
  await claim(job, began + 60_000)
  await pause(store, clock)
  expect(await watch.holds(job, pins)).toBe(true)
  clock.advance(90_000)
  expect(await round()).toEqual([])
  expect(handedOver).toHaveLength(1)
  await resume(store, clock)
  clock.advance(2_000)
  expect(await round()).toMatchObject([{ run: job.run }])
  const session = asId<SessionId>('next')
  await store.sessions.open(systemScope, { id: session, host: 'h', pid: 1 })
  const opening = { uuid: asId<CaseUuid>('x'), title: 't', severity: 'low', join: null } as const
  // The time before its wake time is its own wait, not the pause's.
  expect(await store.runs.claim(systemScope, { ...job, session, at: clock.now(), pins, opening })).toMatchObject({ heldSince: began + 60_000 })
})

test('a run that two pauses held in turn goes on when both are over', async () => {
  const job = await insert()
  await pause(store, clock, { kind: 'organization', owner: acme })
  clock.advance(6_000)
  expect(await round()).toEqual([])
  const first = (await store.pauses.standing(systemScope))[0]!
  await pause(store, clock)
  await store.pauses.end(systemScope, first.id, first.paused)
  clock.advance(2_000)
  expect(await round()).toEqual([])
  expect(handedOver).toHaveLength(1)
  clock.advance(60_000)
  expect(await round()).toEqual([])
  expect(handedOver).toEqual([])
  await resume(store, clock)
  clock.advance(2_000)
  expect(await round()).toMatchObject([job])
})
