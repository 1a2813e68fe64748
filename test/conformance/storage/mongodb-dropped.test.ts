import { randomUUID } from 'node:crypto'
import { type Db, MongoClient } from 'mongodb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/seams.ts'
import { asId, newFetchState, type PauseId } from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { acceptMongoLoss, openMongoStore } from '../../../runtime/storage/mongodb/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { until } from '../../support/until.ts'
import { newFetch } from './fetches/made.ts'
import { ended, everyone, failedUntil, insertOne, investigated, newAlert, newTenant, noon, organizationOf } from './fixtures.ts'

const url = process.env['MONGODB_URL'] ?? ''
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: dropped collections in MongoDB (MONGODB_URL is not set)')

describe.skipIf(!url)('MongoDB when somebody drops something', () => {
  let client: MongoClient
  let database: Db
  let clock: ManualClock
  let notices: string[]
  const open: Store[] = []
  const tenant = newTenant()

  beforeEach(() => {
    client = new MongoClient(url)
    database = client.db(`dropped-${randomUUID()}`)
    clock = new ManualClock()
    notices = []
  })
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close()
    await database.dropDatabase()
    await client.close()
  })

  async function start(name = database.databaseName): Promise<Store> {
    const store = await openMongoStore({ url, database: name, clock, ids: systemIds, report: ({ message }) => void notices.push(message) })
    open.push(store)
    return store
  }

  async function stopAll(): Promise<void> {
    for (const store of open.splice(0)) await store.close()
  }

  /** Waits until the guard has noticed. Returns the notices. */
  async function noticed(): Promise<string> {
    await until(async () => {
      clock.advance(1_000)
      return notices.length > 0
    })
    return notices.join('\n')
  }

  test.each(['alerts', 'counters', 'runs', 'journal', 'settings'])(
    '%s is dropped under an open store: nothing is acknowledged or read',
    async (name) => {
      const store = await start()
      await insertOne(store, newAlert(tenant))
      await store.ping()
      await database.collection(name).drop()
      expect(await noticed()).toContain(name)
      await expect(insertOne(store, newAlert(tenant))).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining(name) })
      await expect(store.alerts.get(everyone, [])).rejects.toMatchObject({ code: 'store_unavailable' })
      await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(notices).toHaveLength(1)
    },
  )

  test('the whole database is dropped: nothing is acknowledged or read', async () => {
    const store = await start()
    await insertOne(store, newAlert(tenant))
    await database.dropDatabase()
    await noticed()
    await expect(insertOne(store, newAlert(tenant))).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  test('a unique index is dropped: it is created again', async () => {
    const store = await start()
    await database.collection('alerts').dropIndex('alertId_1')
    expect(await noticed()).toContain('alerts (alertId)')
    await insertOne(store, newAlert(tenant))
    await store.ping()
    expect(await database.collection('alerts').indexExists('alertId_1')).toBe(true)
  })

  test('a unique index is dropped, and then documents break it: the error names them, also at the next start', async () => {
    const store = await start()
    const { alertId } = await insertOne(store, newAlert(tenant))
    await database.collection('alerts').dropIndex('alertId_1')
    await database.collection<{ _id: string; alertId: string }>('alerts').insertOne({ _id: 'another', alertId })
    expect(await noticed()).toContain(alertId)
    await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
    await stopAll()
    await expect(start()).rejects.toMatchObject({ code: 'store_damaged', message: expect.stringContaining(alertId) })
  })

  test.each(['alerts', 'counters', 'cases'])(
    '%s is dropped while no store is open: starts are refused until somebody accepts the loss, and no number is given twice',
    async (name) => {
      const store = await start()
      await store.organizations.create(everyone, organizationOf(tenant))
      const before = [await insertOne(store, newAlert(tenant)), await insertOne(store, newAlert(tenant))].map(({ alertId }) => alertId)
      await stopAll()
      await database.collection(name).drop()
      for (const _twice of [1, 2]) await expect(start()).rejects.toMatchObject({ code: 'store_incomplete', message: expect.stringContaining(name) })
      const options = { url, database: database.databaseName, clock, ids: systemIds }
      expect(await acceptMongoLoss(options, 'a test')).toEqual([])
      expect(await acceptMongoLoss(options, 'a test')).toBe(null)
      const next = await start()
      const after = await insertOne(next, newAlert(tenant))
      expect(before).not.toContain(after.alertId)
      if (name !== 'counters') expect(after.sequence).toBeGreaterThan(1_000_000)
      expect(await next.pauses.standing(everyone)).toMatchObject([{ target: { kind: 'everything' }, paused: { by: 'a test' } }])
    },
  )

  test.each(['alert_words', 'alert_segments', 'alert_pages'])('%s is dropped: after the loss was accepted, words are found again', async (name) => {
    const alerts = Array.from({ length: 130 }, () => newAlert(tenant, { content: 'needle' }))
    await (await start()).alerts.insert(everyone, alerts)
    await stopAll()
    await database.collection(name).drop()
    await acceptMongoLoss({ url, database: database.databaseName, clock, ids: systemIds }, 'a test')
    const query = { words: ['need'], sort: 'created_at', after: null, limit: 200, preview: 0 } as const
    const { items } = await (await start()).alerts.list(everyone, query)
    expect(items.map(({ uuid }) => uuid)).toEqual(alerts.map(({ uuid }) => uuid).sort())
  })

  test.each(['case_segments', 'case_pages'])('%s is dropped: after the loss was accepted, cases are found by what they say', async (name) => {
    const store = await start()
    await store.organizations.create(everyone, organizationOf(tenant))
    const { claimed } = await investigated(store, tenant)
    const { uuid: caseUuid, caseId } = (await store.cases.get(everyone, claimed.run.case))!
    await stopAll()
    // As if a segment had known what the case says.
    const cases = database.collection<{ _id: string }>('cases')
    await cases.updateOne({ _id: caseUuid }, [{ $set: { modifiedAt: { $toLong: '$modifiedAt' }, sealed: 1 } }])
    const found = async (from: Store) => (await from.cases.list(everyone, { words: [caseId], after: null, limit: 9 })).items.map(({ uuid }) => uuid)
    const before = await start()
    expect(await found(before)).toEqual([])
    await stopAll()
    await database.collection(name).drop()
    await acceptMongoLoss({ url, database: database.databaseName, clock, ids: systemIds }, 'a test')
    expect(await found(await start())).toEqual([caseUuid])
  })

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['an alert waits', (store) => insertOne(store, newAlert(tenant))],
    ['a pause holds an alert', async (store) => store.alerts.hold(everyone, (await insertOne(store, newAlert(tenant))).uuid, asId<PauseId>('p'))],
    ['a retry waits for its time', (store) => failedUntil(store, tenant, noon + 60_000)],
    [
      'all alerts are done and a fetch is enabled',
      async (store) => {
        await ended(store, tenant)
        await store.fetches.create(everyone, newFetch(tenant.id), newFetchState(noon))
      },
    ],
  ])('a database in which %s is restored from a dump: numbers continue higher, and everything is paused', async (_, fill) => {
    await fill(await start())
    await stopAll()
    const copy = client.db(`${database.databaseName}-copy`)
    try {
      for (const { name } of await database.listCollections().toArray()) {
        const documents = await database.collection(name).find().toArray()
        await copy.createCollection(name)
        if (documents.length > 0) await copy.collection(name).insertMany(documents)
      }
      const next = await start(copy.databaseName)
      expect((await insertOne(next, newAlert(tenant))).sequence).toBeGreaterThan(1_000_000)
      // The original may have given the first numbers of this one after the dump.
      expect((await insertOne(next, newAlert(newTenant()))).sequence).toBe(1_000_001)
      expect(await next.pauses.standing(everyone)).toHaveLength(1)
      expect(notices.join('\n')).toContain('restored or copied')
      await stopAll()
      notices.length = 0
      await start(copy.databaseName)
      expect(notices).toEqual([])
      await stopAll()
    } finally {
      await copy.dropDatabase()
    }
  })
})
