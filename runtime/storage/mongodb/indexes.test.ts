import { randomUUID } from 'node:crypto'
import type { Db, Document, Filter } from 'mongodb'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { collectionsOf } from './collections.ts'
import { type Connected, connect } from './connect.ts'
import { type Migration, migrate } from './indexes.ts'

const url = process.env['MONGODB_URL']
if (!url) console.log('skipped: MongoDB schema (MONGODB_URL is not set)')

describe.skipIf(!url)('the schema', () => {
  const opened: Connected[] = []
  let database: Db

  beforeEach(async () => {
    const connected = await connect(url ?? '', `schema-${randomUUID()}`)
    opened.push(connected)
    database = connected.database
  })
  afterAll(async () => {
    for (const { client, database: used } of opened) {
      await used.dropDatabase()
      await client.close()
    }
  })

  const version = async (): Promise<unknown> => (await database.collection('schema').findOne({}))?.['version']
  const names = async (): Promise<string[]> => (await database.listCollections().toArray()).map(({ name }) => name).sort()

  test('is made by processes that start at the same time, and stays as it is at the next start', async () => {
    await Promise.all([migrate(database), migrate(database)])
    const made = await names()
    const indexes = async () => Promise.all(Object.values(collectionsOf(database)).map((collection) => collection.indexes()))
    const before = await indexes()
    expect(made).toEqual([...Object.values(collectionsOf(database)).map(({ collectionName }) => collectionName), 'schema'].sort())
    await migrate(database)
    expect(await indexes()).toEqual(before)
    expect(await version()).toBe(1)
  })

  test('an index that was dropped comes back at the next start', async () => {
    await migrate(database)
    await database.collection('cases').dropIndexes()
    await migrate(database)
    expect(await database.collection('cases').indexes()).toHaveLength(5)
  })

  test('a store that a newer Tocsin wrote is refused, and nothing is made in it', async () => {
    await database.collection<Document & { _id: string }>('schema').insertOne({ _id: 'schema', version: 2 })
    await expect(migrate(database)).rejects.toMatchObject({ code: 'store_newer' })
    expect(await names()).toEqual(['schema'])
  })

  test('only the migrations that a store has not had are run, in order; the first at every start', async () => {
    const ran: number[] = []
    const steps = [1, 2, 3].map(
      (step): Migration =>
        async () =>
          void ran.push(step),
    )
    await migrate(database, steps.slice(0, 2))
    expect([await version(), ran.splice(0)]).toEqual([2, [1, 2]])
    await migrate(database, steps)
    expect([await version(), ran.splice(0)]).toEqual([3, [1, 3]])
    await migrate(database, steps)
    expect([await version(), ran]).toEqual([3, [1]])
  })

  test('a migration that fails is run again at the next start, and the store is not called newer than it is', async () => {
    const ok: Migration = async () => {}
    const broken: Migration = () => Promise.reject(new Error('broken'))
    await expect(migrate(database, [ok, broken])).rejects.toThrow('broken')
    expect(await version()).toBe(1)
  })

  /** What each look costs where thousands of runs are over and nothing waits. */
  test.each<[string, 'alerts' | 'runs' | 'journal', Filter<Document>, Document]>([
    ['pending', 'alerts', { waitingSince: { $lt: 1 } }, { waitingSince: 1 }],
    ['repair', 'alerts', { unnumberedSince: { $lt: 1 } }, { unnumberedSince: 1 }],
    ['orphans', 'runs', { state: 'running', owner: { $nin: ['s1', 's2'] } }, {}],
    ['settle', 'journal', { unsettled: true }, {}],
  ])("the sweeper's look for %s reads an index that holds only what waits", async (_, name, filter, sort) => {
    await migrate(database)
    const collection = database.collection<Document & { _id: string }>(name)
    await collection.insertMany(
      Array.from({ length: 300 }, (__, n) => ({ _id: `x${n}`, alertId: `A-${n}`, state: 'completed', owner: 's3', status: 15 })),
    )
    const plan = await collection.find(filter).sort(sort).explain('executionStats')
    expect(JSON.stringify(plan['queryPlanner'])).toContain('IXSCAN')
    expect(plan['executionStats']).toMatchObject({ nReturned: 0, totalDocsExamined: 0 })
    expect(plan['executionStats']['totalKeysExamined']).toBeLessThan(3)
  })

  test('lists, lookups and logs are read by an index and in its order', async () => {
    await migrate(database)
    const { alerts, cases, runs, journal, timeline } = collectionsOf(database)
    const plans = [
      alerts.find({ organization: { $in: ['a', 'b'] as never[] } }).sort({ createdAt: -1, _id: -1 }),
      alerts.find({ sequence: { $gt: 0 } }).sort({ createdAt: 1, _id: 1 }),
      alerts.find({ alertId: 'A-1' }),
      alerts.find({ createdBy: 'p' as never, 'idempotency.key': 'k' }),
      cases.find({ organization: { $in: ['a'] as never[] } }).sort({ createdAt: -1, _id: -1 }),
      cases.find({ caseId: 'A-1' }),
      cases.find({ alert: { $in: ['a'] as never[] } }),
      runs.find({ _id: { $gte: 'a-r', $lt: 'a-s' } as never }),
      journal.find({ _id: { $gte: { run: 'a', position: 0 }, $lte: { run: 'a', position: 9 } } as never }).sort({ _id: 1 }),
      timeline.find({ _id: { $gte: { case: 'a', key: '' }, $lte: { case: 'a', key: 'z' } } as never }),
    ]
    for (const cursor of plans) {
      const winning = JSON.stringify((await cursor.explain('queryPlanner'))['queryPlanner'].winningPlan)
      expect(winning).toMatch(/IXSCAN|IDHACK|EXPRESS|CLUSTERED/)
      expect(winning).not.toMatch(/"COLLSCAN"|"SORT"/)
    }
  })
})
