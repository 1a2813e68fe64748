import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock, systemIds } from '../runtime/config/index.ts'
import {
  type AlertUuid,
  asId,
  type CaseUuid,
  type Digest,
  type OrganizationId,
  type PrincipalId,
  pinnedPolicy,
  runId,
  type SessionId,
  systemScope,
} from '../runtime/domain/index.ts'
import { openEmbeddedStore } from '../runtime/storage/embedded/index.ts'
import type { Store } from '../runtime/storage/index.ts'
import { openMongoStore } from '../runtime/storage/mongodb/index.ts'

/**
 * Measures the time for a page of 100 out of 10,000 runs with large outputs, on the embedded store or, with MONGODB_URL, on MongoDB.
 * `node bench/lists.ts [--runs 10000] [--kibibytes 80]`
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' }, kibibytes: { type: 'string', default: '80' } } })
const [count, kibibytes] = [Number(values.runs), Number(values.kibibytes)]
const organization = asId<OrganizationId>('acme')
const output = JSON.stringify('x'.repeat(kibibytes * 1024))
const url = process.env['MONGODB_URL']
const directory = mkdtempSync(join(tmpdir(), 'tocsin-lists-'))

async function open(): Promise<Store> {
  if (url) return openMongoStore({ url, database: `lists-${randomUUID()}`, clock: systemClock, ids: systemIds })
  return openEmbeddedStore({ directory, clock: systemClock })
}

async function fill(store: Store): Promise<void> {
  const session = asId<SessionId>(randomUUID())
  await store.sessions.open(systemScope, { id: session, host: 'bench', pid: process.pid })
  const one = async (): Promise<void> => {
    const uuid = asId<AlertUuid>(systemIds.uuid())
    const at = systemClock.now()
    const alert = {
      uuid,
      organization,
      organizationCode: 'ACME',
      provider: 'edr',
      numberedAs: 'ACME-EDR',
      type: 't',
      content: '{"title":"x"}',
      name: 'x',
    }
    const sent = { tokens: ['x'], createdAt: at, createdAtSource: null, createdBy: asId<PrincipalId>('p'), idempotency: null }
    await store.alerts.insert(systemScope, [{ ...alert, ...sent }])
    const pins = {
      playbook: { name: 'p', digest: asId<Digest>('sha256:0') },
      playbooks: {},
      policy: pinnedPolicy(null),
      plugins: {},
      connections: {},
    }
    const opening = { uuid: asId<CaseUuid>(systemIds.uuid()), title: 'x', severity: 'low', join: null } as const
    const run = runId(uuid, 1)
    await store.runs.claim(systemScope, { run, alert: uuid, organization, type: 't', attempt: 1, session, at, pins, opening })
    await store.journal.putOutput(systemScope, run, 'look', output)
    const done = { kind: 'done', address: 'look', digest: 'sha256:0', output: { stored: 'look' }, at } as const
    const end = {
      run,
      epoch: 1,
      position: 1,
      records: [done],
      state: 'completed',
      reason: null,
      failure: null,
      retryAt: null,
      at,
      entries: [],
    } as const
    await store.runs.end(systemScope, end)
  }
  for (let begun = 0; begun < count; begun += 50) {
    await Promise.all(Array.from({ length: 50 }, one))
    if (begun % 1_000 === 0) process.stderr.write(`\r${begun} runs`)
  }
  process.stderr.write(`\r${count} runs, ${Math.round((count * kibibytes) / 1024)} MiB of outputs\n`)
}

/** The median and the longest time of fifty reads, in milliseconds. */
async function measure(name: string, page: () => Promise<{ readonly items: readonly unknown[] }>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < 50; round += 1) {
    const began = performance.now()
    const { items } = await page()
    times.push(performance.now() - began)
    if (items.length !== 100) throw new Error(`${name}: ${items.length} items`)
  }
  times.sort((a, b) => a - b)
  console.log(`${name.padEnd(30)} median ${times[25]?.toFixed(1)} ms, longest ${times[49]?.toFixed(1)} ms`)
}

const store = await open()
try {
  await fill(store)
  const { runs, alerts, cases } = store
  const first = { after: null, limit: 100 } as const
  let deep = await runs.list(systemScope, { after: null, limit: 100 })
  for (let page = 1; page < count / 100 / 2; page += 1) {
    const last = deep.items.at(-1)
    if (last) deep = await runs.list(systemScope, { after: { startedAt: last.startedAt, id: last.id }, limit: 100 })
  }
  const last = deep.items.at(-1)
  if (!last) throw new Error('there are no runs')
  await measure('runs, first page', () => runs.list(systemScope, first))
  await measure('runs, in the middle', () => runs.list(systemScope, { after: { startedAt: last.startedAt, id: last.id }, limit: 100 }))
  await measure('runs of one organization', () => runs.list(systemScope, { ...first, organizations: [organization] }))
  await measure('alerts, first page', () => alerts.list(systemScope, { ...first, sort: '-created_at', preview: 200 }))
  await measure('cases, first page', () => cases.list(systemScope, first))
} finally {
  await store.close()
  if (url) console.log('The database lists-… stays; drop it by hand.')
  rmSync(directory, { recursive: true, force: true })
}
