import { randomUUID } from 'node:crypto'
import { type Db, type Document, type Filter, ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../config/seams.ts'
import { systemScope } from '../../../domain/index.ts'
import { baselineVersion } from '../../schema-version.ts'
import { filterOf } from '../alerts/alert-list.ts'
import { blocksWith } from '../alerts/alert-words.ts'
import { type Connected, connect } from '../client/connect.ts'
import { fetchesDue } from '../fetches/fetches.ts'
import { dueNow } from '../webhooks/deliveries.ts'
import { collectionsOf } from './collections.ts'
import { fewStates, type Migration, migrate, openStatuses, schemaVersion } from './indexes.ts'
import type { LockDocument } from './lock.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: MongoDB schema (MONGODB_URL is not set)')

describe.skipIf(!url)('the schema', () => {
  const opened: Connected[] = []

  async function newDatabase(): Promise<Db> {
    const connected = await connect(url ?? '', `schema-${randomUUID()}`)
    opened.push(connected)
    return connected.database
  }
  afterAll(async () => {
    for (const { client, database } of opened) {
      await database.dropDatabase()
      await client.close()
    }
  })

  const version = async (database: Db): Promise<unknown> => (await database.collection('schema').findOne({ version: { $gt: 0 } }))?.['version']
  const names = async (database: Db): Promise<string[]> => (await database.listCollections().toArray()).map(({ name }) => name).sort()

  test('is created once by processes that start at the same time, and the next start does not change it', async () => {
    const database = await newDatabase()
    await Promise.all([migrate(database, systemClock), migrate(database, systemClock), migrate(database, systemClock)])
    const collections = Object.values(collectionsOf(database))
    const indexes = async () => Promise.all(collections.map((collection) => collection.indexes()))
    const before = await indexes()
    expect(await names(database)).toEqual([...collections.map(({ collectionName }) => collectionName), 'schema'].sort())
    await migrate(database, systemClock)
    expect(await indexes()).toEqual(before)
    expect(await version(database)).toBe(schemaVersion)
    expect(await database.collection('schema').countDocuments()).toBe(1)
  })

  test.each([
    ['a newer Tocsin', schemaVersion + 1, 'store_newer'],
    ['the first development version', 1, 'store_unknown'],
    ['the last development version', 13, 'store_unknown'],
  ])('a store that %s wrote is refused, and nothing is created in it', async (_who, version, code) => {
    const database = await newDatabase()
    await database.collection<Document & { _id: string }>('schema').insertOne({ _id: 'schema', version })
    await expect(migrate(database, systemClock)).rejects.toMatchObject({ code, message: expect.stringContaining(`schema version ${version}`) })
    expect(await names(database)).toEqual(['schema'])
  })

  test('only the migrations that a store has not had are run, in order; a start without new ones runs the first', async () => {
    const database = await newDatabase()
    const ran: number[] = []
    const steps = [1, 2, 3].map(
      (step): Migration =>
        async () =>
          void ran.push(step),
    )
    await migrate(database, systemClock, steps.slice(0, 2))
    expect([await version(database), ran.splice(0)]).toEqual([baselineVersion + 1, [1, 2]])
    await migrate(database, systemClock, steps)
    expect([await version(database), ran.splice(0)]).toEqual([baselineVersion + 2, [3]])
    await migrate(database, systemClock, steps)
    expect([await version(database), ran]).toEqual([baselineVersion + 2, [1]])
  })

  test('a release that knows neither when keys expire nor who made them refuses the store', async () => {
    const database = await newDatabase()
    await migrate(database, systemClock)
    const known = Array.from({ length: 4 }, (): Migration => async () => {})
    await expect(migrate(database, systemClock, known)).rejects.toMatchObject({ code: 'store_newer' })
  })

  test('a step that comes several times in a row runs once, and the version counts each', async () => {
    const database = await newDatabase()
    const ran: string[] = []
    const create: Migration = async () => void ran.push('create')
    const change: Migration = async () => void ran.push('change')
    await migrate(database, systemClock, [create, create, create, change, create])
    expect([await version(database), ran]).toEqual([baselineVersion + 4, ['create', 'change', 'create']])
  })

  test('migrations of processes that start together run one after the other, and only once', async () => {
    const database = await newDatabase()
    const ran: string[] = []
    const step: Migration = async () => {
      ran.push('begins')
      await new Promise((resolve) => setImmediate(resolve))
      ran.push('ends')
    }
    await Promise.all([1, 2, 3].map(() => migrate(database, systemClock, [async () => {}, step])))
    expect(ran).toEqual(['begins', 'ends'])
  })

  test('a failed migration is run again at the next start, and the version is not raised', async () => {
    const database = await newDatabase()
    const ok: Migration = async () => {}
    await expect(migrate(database, systemClock, [ok, () => Promise.reject(new Error('broken'))])).rejects.toThrow('broken')
    expect(await version(database)).toBe(baselineVersion)
    await migrate(database, systemClock, [ok, ok])
    expect(await version(database)).toBe(baselineVersion + 1)
  })

  test('a process that died during a migration does not block the next one for ever', async () => {
    const database = await newDatabase()
    const locks = database.collection<LockDocument>('schema')
    await locks.insertOne({ _id: 'lock', holder: new ObjectId(), until: new Date(Date.now() - 1_000) })
    await migrate(database, systemClock, [async () => {}])
    expect(await version(database)).toBe(baselineVersion)
  })

  describe('its indexes', () => {
    let database: Db
    beforeAll(async () => {
      database = await newDatabase()
      await migrate(database, systemClock)
    })

    /** What each of the sweeper's queries costs if many runs have ended and nothing waits. */
    test.each<[string, 'alerts' | 'runs' | 'journal' | 'decisions', Filter<Document>, Record<string, 1>]>([
      ['pending', 'alerts', { waitingSince: { $lt: 1 } }, { waitingSince: 1 }],
      ['repair', 'alerts', { unnumberedSince: { $lt: 1 } }, { unnumberedSince: 1 }],
      ['orphans', 'runs', { state: 'running', owner: { $nin: ['s1', 's2'] } }, {}],
      ['settle', 'journal', { unsettled: true }, {}],
      ['due', 'runs', { state: 'waiting', heldBy: null, wakeAt: { $lte: 1 } }, { wakeAt: 1 }],
      ['held runs', 'runs', { heldBy: { $exists: true, $nin: ['p1'] } }, {}],
      ['held alerts', 'alerts', { heldBy: { $exists: true, $nin: ['p1'] } }, {}],
      ['untold', 'decisions', { untold: true }, {}],
    ])('the query for %s reads an index that holds only what waits', async (look, name, filter, sort) => {
      const collection = database.collection<Document & { _id: string }>(name)
      await collection.insertMany(
        Array.from({ length: 300 }, (_, n) => ({ _id: `${look} ${n}`, alertId: `${look}-${n}`, state: 'completed', owner: 's3', status: 15 })),
      )
      const plan = await collection.find(filter as Filter<Document & { _id: string }>, { sort }).explain('executionStats')
      expect(JSON.stringify(plan['queryPlanner'])).toContain('IXSCAN')
      expect(plan['executionStats']).toMatchObject({ nReturned: 0, totalDocsExamined: 0 })
      expect(plan['executionStats']['totalKeysExamined']).toBeLessThan(3)
    })

    test('lists, lookups and journals are read by an index, in its order', async () => {
      const { alerts, cases, decisions, runs, journal, timeline } = collectionsOf(database)
      const plans = [
        alerts.find({ organization: { $in: ['a', 'b'] as never[] } }).sort({ createdAt: -1, _id: -1 }),
        alerts.find({ sequence: { $gt: 0 } }).sort({ createdAt: 1, _id: 1 }),
        alerts.find({ alertId: 'A-1' }),
        alerts.find({ createdBy: 'p' as never, 'idempotency.key': 'k' }),
        cases.find({ organization: { $in: ['a'] as never[] } }).sort({ createdAt: -1, _id: -1 }),
        cases.find({ caseId: 'A-1' }),
        cases.find({ alert: { $in: ['a'] as never[] } }),
        cases.find({ organization: 'a' as never, joinKey: 'k', joinable: true }),
        cases.find({ organization: 'a' as never, joinKey: 'k', modifiedAt: { $gte: 1 } }).sort({ modifiedAt: -1, number: -1 }),
        decisions.find({}).sort({ askedAt: -1, _id: -1 }),
        decisions.find({ state: { $in: ['open'] } }).sort({ askedAt: -1, _id: -1 }),
        decisions.find({ organization: { $in: ['a'] as never[] } }).sort({ askedAt: -1, _id: -1 }),
        decisions.find({ run: { $in: ['a'] as never[] } }).sort({ askedAt: -1, _id: -1 }),
        runs.find({ _id: { $gte: 'a-r', $lt: 'a-s' } as never }),
        runs.find({ startedAt: { $gte: 1 } }).sort({ startedAt: -1, _id: -1 }),
        runs.find({ organization: { $in: ['a'] as never[] } }).sort({ startedAt: -1, _id: -1 }),
        journal.find({ _id: { $gte: { run: 'a', position: 0 }, $lte: { run: 'a', position: 9 } } as never }).sort({ _id: 1 }),
        timeline.find({ _id: { $gte: { case: 'a', key: '' }, $lte: { case: 'a', key: 'z' } } as never }),
      ]
      for (const cursor of plans) {
        const winning = JSON.stringify((await cursor.explain('queryPlanner'))['queryPlanner'].winningPlan)
        expect(winning).toMatch(/IXSCAN|IDHACK|EXPRESS/)
        expect(winning).not.toMatch(/"COLLSCAN"|"SORT"/)
      }
    })

    test('open alerts are found without reading ended ones', async () => {
      const { alerts } = collectionsOf(database)
      const alert = (n: number) => ({
        _id: `over ${n}`,
        alertId: `over-${n}`,
        createdAt: n,
        sequence: n + 1,
        typeKey: 'open test',
        status: n === 7 ? 10 : 15,
      })
      await alerts.insertMany(Array.from({ length: 400 }, (_, n) => alert(n)) as never[])
      const query = { types: ['open test'], statuses: [0, 5, 10], sort: '-created_at', after: null, limit: 20, preview: 9 } as const
      const plan = await alerts
        .find({ $and: filterOf(systemScope, query) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(21)
        .explain('executionStats')
      expect(plan['executionStats']).toMatchObject({ nReturned: 1 })
      expect(plan['executionStats']['totalDocsExamined']).toBeLessThan(10)
    })

    test.each<[string, Filter<Document>]>([
      ['all organizations', {}],
      ['one organization', { organization: { $in: ['few'] } }],
    ])('open cases, cases that need attention and runs that did not complete are found without reading others: %s', async (of, scope) => {
      const { cases, runs } = collectionsOf(database)
      const found = async (collection: typeof cases | typeof runs, field: string, filters: readonly object[]) => {
        const filter = { $and: [scope, ...filters] } as never
        const cursor = (collection as typeof cases).find(filter).sort({ [field]: -1, _id: -1 })
        return (await cursor.limit(21).explain('executionStats'))['executionStats']
      }
      const many = Array.from({ length: 400 }, (_, n) => ({ _id: `${of} ${n}`, organization: 'few', createdAt: n, startedAt: n }))
      const rows = (more: (n: number) => object) => many.map((one, n) => ({ ...one, ...more(n) })) as never[]
      await cases.deleteMany({})
      await cases.insertMany(
        rows((n) => ({ alert: `${of} ${n}`, caseId: `${of} ${n}`, status: n === 7 ? 'new' : 'closed', ...(n === 9 && { attention: true }) })),
      )
      await runs.deleteMany({})
      await runs.insertMany(rows((n) => ({ state: n === 7 ? 'waiting' : n === 9 ? 'failed' : 'completed' })))
      for (const [collection, field, filters] of [
        [cases, 'createdAt', [{ status: { $in: ['new', 'contained'] } }, { status: { $in: [...openStatuses] } }]],
        [cases, 'createdAt', [{ attention: true }]],
        [runs, 'startedAt', [{ state: { $in: ['running', 'waiting'] } }, { state: { $in: [...fewStates] } }]],
        [runs, 'startedAt', [{ state: { $in: ['failed'] } }, { state: { $in: [...fewStates] } }]],
      ] as const) {
        const stats = await found(collection, field, filters)
        expect(stats).toMatchObject({ nReturned: 1 })
        expect(stats.totalDocsExamined).toBeLessThan(10)
      }
    })

    test('the blocks of words are found by beginnings and by whole words, and no word can break out of its condition', async () => {
      const { alertWords } = collectionsOf(database)
      await alertWords.insertMany([
        { _id: 'block 0', words: ['common', 'rare'] },
        { _id: 'block 1', words: ['common'] },
      ])
      const contains = { text: 'rare', words: ['rare'] }
      expect((await blocksWith(alertWords, { words: ['comm'] }))?.length).toBe(2)
      expect(await blocksWith(alertWords, { words: ['comm', 'rar'] })).toMatchObject([{ id: 'block 0' }])
      expect(await blocksWith(alertWords, { words: ['comm'], contains })).toEqual([{ id: 'block 0', from: 0, to: Number.MAX_SAFE_INTEGER }])
      expect(await blocksWith(alertWords, { contains: { text: 'rar', words: ['rar'] } })).toEqual([])
      for (const word of ['c.mmon', 'com*', ' common', '$where', '']) expect(await blocksWith(alertWords, { words: [word] })).toBe('nowhere')
    })

    test('due deliveries are found without reading ended ones', async () => {
      const { deliveries } = collectionsOf(database)
      const ended = Array.from({ length: 400 }, (_, n) => ({
        _id: `ended ${n}`,
        webhook: 'w',
        state: 'delivered',
        endedAt: new Date(1),
        since: new Date(1),
      }))
      const due = { _id: 'due', webhook: 'w', state: 'waiting', dueAt: new Date(1), since: new Date(1) }
      await deliveries.insertMany([...ended, due] as never[])
      for (const filter of [dueNow, { webhook: 'w', ...dueNow }]) {
        const plan = await deliveries.find(filter as never).explain('executionStats')
        expect(plan['executionStats']).toMatchObject({ nReturned: 1 })
        expect(plan['executionStats']['totalDocsExamined']).toBeLessThan(10)
      }
    })

    test('due fetches are found without reading disabled ones, and in their order', async () => {
      const { fetches } = collectionsOf(database)
      const disabled = Array.from({ length: 400 }, (_, n) => ({ _id: `disabled ${n}`, enabled: false, dueAt: new Date(1) }))
      await fetches.insertMany([...disabled, { _id: 'due', enabled: true, dueAt: new Date(1) }] as never[])
      const plan = await fetches.find(fetchesDue, { sort: { dueAt: 1, _id: 1 } }).explain('executionStats')
      expect(plan['executionStats']).toMatchObject({ nReturned: 1 })
      expect(plan['executionStats']['totalDocsExamined']).toBeLessThan(10)
      expect(JSON.stringify(plan['queryPlanner']['winningPlan'])).not.toContain('"SORT"')
    })

    test('a dropped index is created again at the next start', async () => {
      const before = await database.collection('cases').indexes()
      await database.collection('cases').dropIndexes()
      await migrate(database, systemClock)
      expect(await database.collection('cases').indexes()).toEqual(before)
    })
  })
})
