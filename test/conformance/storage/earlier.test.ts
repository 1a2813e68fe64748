import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Document, MongoClient } from 'mongodb'
import { afterEach, expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/seams.ts'
import { migrate, migrations } from '../../../runtime/storage/embedded/database/schema.ts'
import { openEmbeddedStore } from '../../../runtime/storage/embedded/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { openMongoStore } from '../../../runtime/storage/mongodb/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { wholeTimeline } from '../../support/timeline.ts'
import stores from './earlier-stores.json' with { type: 'json' }
import { claimOf, doneRecord, endOf, everyone, mustClaim, noon, openSession, sleepOf } from './fixtures.ts'

/**
 * Stores as Tocsin wrote them before runs could wait and playbooks be withdrawn: a run that is over and one whose process died, with their
 * alerts, cases and journals, and a playbook that is active. `earlier-stores.json` was written by that version.
 */
let close: () => Promise<void> = async () => {}
afterEach(() => close())

async function openEmbedded(): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-earlier-'))
  const database = new DatabaseSync(join(directory, 'tocsin.db'))
  migrate(database, migrations.slice(0, 2))
  for (const [table, rows] of Object.entries(stores.embedded)) {
    for (const row of rows as Record<string, SQLInputValue>[]) {
      const marks = Object.keys(row).map(() => '?')
      database.prepare(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`).run(...Object.values(row))
    }
  }
  database.close()
  const store = await openEmbeddedStore({ directory, clock: new ManualClock() })
  close = async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  }
  return store
}

async function openMongo(url: string): Promise<Store> {
  const name = `earlier-${randomUUID()}`
  const client = new MongoClient(url)
  const database = client.db(name)
  for (const [collection, documents] of Object.entries(stores.mongodb)) await database.collection(collection).insertMany(documents as Document[])
  await database.collection<{ _id: string }>('schema').insertOne({ _id: 'schema', version: 1 } as { _id: string })
  const store = await openMongoStore({ url, database: name, clock: new ManualClock(), ids: systemIds })
  close = async () => {
    await store.close()
    await database.dropDatabase()
    await client.close()
  }
  return store
}

const url = process.env['MONGODB_URL']
if (!url) console.log('skipped: earlier MongoDB stores (MONGODB_URL is not set)')

test.for([
  ['embedded', openEmbedded, stores.embedded.runs.map(({ id }) => id)],
  ...(url ? [['MongoDB', () => openMongo(url), stores.mongodb.runs.map(({ _id }) => _id)] as const] : []),
] as const)('%s: what an earlier version wrote is read, listed and continued', async ([, open, runs]) => {
  const store = await open()
  const { items } = await store.runs.list(everyone, { after: null, limit: 9 })
  expect(items.map(({ id }) => id)).toEqual(runs.toSorted().toReversed())
  for (const run of items) {
    expect(run).toMatchObject({
      wakeAt: null,
      pins: { playbook: { name: 'phishing-reported' }, playbooks: {}, connections: { mail: { instance: 'prod' } } },
    })
    expect(await store.runs.get(everyone, run.id)).toEqual(run)
    expect((await store.journal.read(everyone, run.id)).flatMap(({ records }) => records)).toContainEqual(doneRecord('look', { found: 1 }))
    expect(await store.cases.byCaseId(everyone, run.caseId)).toMatchObject({ uuid: run.case, alerts: [{ alertUuid: run.alert }] })
    expect((await wholeTimeline(store, everyone, run.case)).map(({ body }) => body.kind).sort()).toEqual(['note', 'opened'])
  }
  expect((await store.cases.list(everyone, { after: null, limit: 9 })).items).toHaveLength(2)
  expect(await store.decisions.list(everyone, { after: null, limit: 9 })).toEqual({ items: [], more: false })

  const place = { kind: 'playbook', organization: null, key: 'phishing' } as const
  const [active] = await store.artifacts.listActive(everyone, 'playbook')
  expect(active).toMatchObject({ ...place, name: 'looked', revision: 1, activatedBy: null, withdrawn: false })
  expect(await store.artifacts.history(everyone, place)).toEqual([active])

  const left = items.find(({ state }) => state === 'running')!
  const [alert] = await store.alerts.get(everyone, [left.alert])
  const { run, position } = await mustClaim(store, claimOf(alert!, await openSession(store)))
  expect(run).toMatchObject({ id: left.id, epoch: 2, pins: left.pins, caseId: left.caseId })
  expect(await store.runs.sleep(everyone, sleepOf(run.id, 2, position, noon))).toBe('slept')
  expect(await store.runs.due(everyone, noon, 9)).toMatchObject([{ uuid: left.alert }])
  const again = await mustClaim(store, claimOf(alert!, await openSession(store)))
  expect(await store.runs.end(everyone, endOf(run.id, 3, again.position))).toBe('ended')
})
