import { afterEach, beforeEach, expect, test } from 'vitest'
import { newFetch } from '../../test/conformance/storage/fetches/made.ts'
import { everyone, newTenant, type Tenant } from '../../test/conformance/storage/fixtures.ts'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { systemIds } from '../config/index.ts'
import type { ReadCall } from '../connection/index.ts'
import { type Alert, type AlertFetch, type Json, newFetchState } from '../domain/index.ts'
import { noTurns } from '../fairness/index.ts'
import type { BatchItem } from '../ingest/index.ts'
import type { CallResult } from '../plugin/index.ts'
import { openMemoryStore } from '../storage/embedded/index.ts'
import type { Store } from '../storage/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { Fetcher } from './fetcher.ts'
import { Submitter } from './submit.ts'

const minute = 60_000
/** The calls that wait for an answer. */
let waiting: { readonly call: ReadCall; answer(output: Json): void }[]
let submitted: BatchItem[]
let log: string[]
let clock: ManualClock
let store: Store
let tenant: Tenant

beforeEach(async () => {
  waiting = []
  submitted = []
  log = []
  clock = new ManualClock()
  store = openMemoryStore(clock)
  tenant = newTenant()
  await addTenant(tenant)
})
afterEach(() => store.close())

function addTenant({ id }: Tenant): Promise<unknown> {
  const code = id.toUpperCase()
  return store.organizations.create(everyone, { id, code, name: code, createdAt: 0, createdBy: newFetch(id).createdBy })
}

/** Returns a fetcher, as one process has it. */
function fetcher(): Fetcher {
  const calls = {
    call: (call: ReadCall) =>
      new Promise<CallResult>((resolve) => {
        waiting.push({ call, answer: (output) => resolve({ ok: true, output }) })
        call.signal.addEventListener('abort', () =>
          resolve({ ok: false, effect: 'not_sent', failure: { code: 'network', message: 'stopped', remedy: null, retryAfter: null } }),
        )
      }),
  }
  const acceptBatch = async (_: unknown, items: readonly BatchItem[]) => {
    submitted.push(...items)
    return items.map(() => ({ alert: {} as Alert, fresh: true }))
  }
  const logger = createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } })
  return new Fetcher({ store, calls, submitter: new Submitter({ acceptBatch }, noTurns, 1_000), clock, ids: systemIds, logger })
}

async function add(of: Tenant = tenant): Promise<AlertFetch> {
  const made = newFetch(of.id, { input: {}, reading: { ...newFetch(of.id).reading, items: '' } })
  await store.fetches.create(everyone, made, newFetchState(clock.now()))
  return made
}
const stateOf = async ({ id }: AlertFetch) => (await store.fetches.get(everyone, id))?.state

test('of several processes one makes an attempt, and the next one comes after the time between attempts', async () => {
  const made = await add()
  const processes = [fetcher(), fetcher()]
  await Promise.all(processes.map((one) => one.look()))
  expect(waiting).toHaveLength(1)
  waiting[0]?.answer([{ id: 1 }])
  await Promise.all(processes.map((one) => one.settled()))
  expect(submitted).toHaveLength(1)
  expect(await stateOf(made)).toMatchObject({ failures: 0, last: { found: 1, fresh: 1 } })
  await processes[1]?.look()
  expect(waiting).toHaveLength(1)
  clock.advance(made.every)
  await processes[1]?.look()
  expect(waiting).toHaveLength(2)
})

test('an attempt that takes long keeps its lease, and that of a dead process ends', async () => {
  await add()
  const [slow, other] = [fetcher(), fetcher()]
  await slow.look()
  for (let passed = 0; passed < 5 * minute; passed += 10_000) {
    clock.advance(10_000)
    await other.look()
  }
  expect(waiting).toHaveLength(1)
  clock.advance(9_999)
  waiting[0]?.answer([])
  await slow.settled()
  clock.advance(minute)
  const dead = fetcher()
  // It takes the lease and dies before it extends it.
  await store.fetches.lease(everyone, (await store.fetches.due(everyone, 9))[0]!, { holder: 'dead', duration: 30_000 })
  await dead.look()
  expect(waiting).toHaveLength(1)
  clock.advance(30_000)
  await other.look()
  expect(waiting).toHaveLength(2)
})

test('one organization has two attempts at once, a process sixteen, and the others follow as soon as there is room', async () => {
  for (let count = 0; count < 5; count += 1) await add()
  const others = Array.from({ length: 16 }, () => newTenant())
  for (const other of others) {
    await addTenant(other)
    await add(other)
  }
  const one = fetcher()
  await one.look()
  expect(waiting).toHaveLength(16)
  expect(waiting.filter(({ call }) => call.organization === tenant.id)).toHaveLength(2)
  for (const { answer } of waiting) answer([])
  // More are due, so the process does not wait for the next second.
  await expect.poll(() => waiting.length).toBe(16 + 2 + 2)
  for (const { answer } of waiting.slice(16)) answer([])
  await one.settled()
})

test('a process that stops aborts its attempts, and the next process makes them at once', async () => {
  const made = await add()
  const stops = fetcher()
  await stops.look()
  await stops.stop()
  expect(waiting[0]?.call.signal.aborted).toBe(true)
  expect(await stateOf(made)).toEqual(newFetchState(clock.now()))
  await stops.look()
  expect(waiting).toHaveLength(1)
  await fetcher().look()
  expect(waiting).toHaveLength(2)
})

test('an attempt does not undo what somebody changed meanwhile, and its alerts stay', async () => {
  const made = await add()
  const one = fetcher()
  await one.look()
  await store.fetches.revise(everyone, { ...made, name: 'changed', revision: 2 }, 5)
  waiting[0]?.answer([{ id: 1 }])
  await one.settled()
  expect(submitted).toHaveLength(1)
  expect(await store.fetches.get(everyone, made.id)).toMatchObject({ fetch: { name: 'changed' }, state: { since: 5, last: null } })
})

test('the log says when a fetch begins to fail and when it works again, and not each failure', async () => {
  const made = await add()
  const one = fetcher()
  for (const output of ['no list', 'no list', [], []]) {
    await one.look()
    waiting.at(-1)?.answer(output)
    await one.settled()
    clock.advance(10 * minute)
  }
  expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['a fetch failed; it will be tried again', 'a fetch works again'])
  expect(await stateOf(made)).toMatchObject({ failures: 0 })
})
