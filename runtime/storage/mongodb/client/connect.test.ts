import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { afterEach, describe, expect, test } from 'vitest'
import { startMongoProxy } from '../../../../test/support/stores/mongo-proxy.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock, systemIds } from '../../../config/seams.ts'
import { type JournalEntry, type RunId, systemScope } from '../../../domain/index.ts'
import { openMongoStore } from '../index.ts'
import { connect, optionsFor } from './connect.ts'

const url = process.env['MONGODB_URL']
// Some of these tests need a MongoDB replica set. Without MONGODB_URL those are skipped.
if (!url) console.log('skipped: MongoDB connection (MONGODB_URL is not set)')

test.each(['http://127.0.0.1/', 'mongodb://', 'mongodb://user:secret@[', 'mongodb://127.0.0.1/?maxPoolSize=many', ''])(
  'an invalid address is a configuration error: %s',
  async (wrong) => {
    const error = await connect(wrong, null).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'config_invalid' })
    expect(String(error)).not.toContain('secret')
  },
)

test('an unreachable server is an unavailable store, and the password is not in the message', async () => {
  const error = await connect('mongodb://user:secret@127.0.0.1:1/?serverSelectionTimeoutMS=50', null).catch((thrown: unknown) => thrown)
  const remedy = expect.stringContaining('Start MongoDB, or correct MONGODB_URL')
  expect(error).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('127.0.0.1:1'), remedy })
  expect(String(error)).not.toContain('secret')
})

test('calls wait for a primary for longer than a replica set takes to elect one, unless the URL says how long', () => {
  // electionTimeoutMillis by default, a random part of at most 15 %, and the votes.
  const election = 10_000 + 1_500 + 1_500
  expect(optionsFor('mongodb://a,b,c/?replicaSet=rs0').serverSelectionTimeoutMS).toBeGreaterThan(election)
  expect(optionsFor('mongodb://a,b,c/?serverSelectionTimeoutMS=50')).not.toHaveProperty('serverSelectionTimeoutMS')
})

function entryOf(position: number, output: string): JournalEntry {
  return { position, epoch: 1, format: 1, records: [{ kind: 'done', address: 'a', digest: 'd', output: { value: output }, at: 1 }] }
}

describe.skipIf(!url)('a MongoDB that comes and goes', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  test('calls fail as store_unavailable while it is down, and succeed once it is back', async () => {
    const name = `wire-${randomUUID()}`
    const client = new MongoClient(url ?? '')
    ends.push(
      () => client.close(),
      () => client.db(name).dropDatabase(),
    )
    const proxy = await startMongoProxy(url ?? '')
    ends.push(() => proxy.close())
    // The URL names the database.
    const through = new URL(`${proxy.url}&serverSelectionTimeoutMS=300`)
    through.pathname = name
    const store = await openMongoStore({ url: through.href, clock: systemClock, ids: systemIds })
    ends.push(() => store.close())
    const set = () => store.settings.settle(systemScope, 'name', 'value')
    const look = () => store.runs.get(systemScope, 'nobody-r1' as never)
    expect(await set()).toBe('value')
    expect(await client.db(name).collection('settings').countDocuments()).toBe(1)

    proxy.cut()
    for (const call of [set, look, () => store.ping()]) await expect(call()).rejects.toMatchObject({ code: 'store_unavailable' })
    proxy.mend()
    await expect
      .poll(
        () =>
          store.ping().then(
            () => 'up',
            () => 'down',
          ),
        { timeout: 20_000 },
      )
      .toBe('up')
    expect(await set()).toBe('value')
    expect(await look()).toBeNull()
  })

  test('a large write fails when the driver gives up a silent connection, and the next one succeeds', async () => {
    const name = `silent-${randomUUID()}`
    const client = new MongoClient(url ?? '')
    ends.push(
      () => client.close(),
      () => client.db(name).dropDatabase(),
    )
    const proxy = await startMongoProxy(url ?? '')
    ends.push(() => proxy.close())
    const store = await openMongoStore({
      url: `${proxy.url}&heartbeatFrequencyMS=500&connectTimeoutMS=1000&serverSelectionTimeoutMS=300`,
      database: name,
      clock: systemClock,
      ids: systemIds,
    })
    ends.push(() => store.close())
    const run = 'somebody-r1' as RunId
    const write = (position: number, size: number): Promise<string> => store.journal.append(systemScope, run, entryOf(position, 'x'.repeat(size)))
    expect(await write(1, 10)).toBe('appended')

    proxy.silence()
    await expect(write(2, 12_000_000)).rejects.toMatchObject({ code: 'store_unavailable', message: expect.not.stringContaining('has not answered') })
    proxy.mend()
    await until(() =>
      store.ping().then(
        () => true,
        () => false,
      ),
    )
    expect(await write(3, 10)).toBe('appended')
  })

  test('a closed store does not answer', async () => {
    const name = `closed-${randomUUID()}`
    const store = await openMongoStore({ url: url ?? '', database: name, clock: systemClock, ids: systemIds })
    const client = new MongoClient(url ?? '')
    ends.push(
      () => client.close(),
      () => client.db(name).dropDatabase(),
    )
    await store.close()
    await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(store.runs.get(systemScope, 'nobody-r1' as never)).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})
