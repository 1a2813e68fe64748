import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newAlert, newTenant } from '../../../../test/conformance/storage/fixtures.ts'
import { systemClock, systemIds } from '../../../config/seams.ts'
import { systemScope } from '../../../domain/index.ts'
import type { AlertStore } from '../../port/index.ts'
import { assemble } from '../assemble.ts'
import { type Connected, connect } from '../client/connect.ts'
import { type Collections, collectionsOf } from '../database/collections.ts'
import { migrate } from '../database/indexes.ts'
import { WorkReport } from '../database/work-report.ts'
import { Sealing } from './sealing.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: blocks of words in MongoDB (MONGODB_URL is not set)')

const everything = (blocks: readonly string[]): readonly string[] => blocks
const nothing = (): readonly string[] => []

const silent = new WorkReport(() => {}, { fails: '', succeeds: '' })

describe.skipIf(!url)('blocks of words that wait for a segment in MongoDB', () => {
  let opened: Connected
  let collections: Collections
  let store: AlertStore
  const tenant = newTenant()

  beforeEach(async () => {
    opened = await connect(url ?? '', `blocks-${randomUUID()}`)
    await migrate(opened.database, systemClock)
    collections = collectionsOf(opened.database)
    store = assemble(collections, systemClock, systemIds).aggregates.alerts
  })
  afterEach(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  const insert = (count: number): Promise<unknown> =>
    store.insert(
      systemScope,
      Array.from({ length: count }, () => newAlert(tenant)),
    )
  const sealingOf = (over: Partial<Collections> = {}): Sealing => new Sealing({ ...collections, ...over }, systemClock, systemIds, silent)

  test('are deleted if only repeats were inserted with them, once they are settled', async () => {
    const repeated = () => newAlert(tenant, { idempotency: { key: 'k', digest: 'd' } })
    const sealing = sealingOf()
    for (let n = 0; n < 3; n += 1) await store.insert(systemScope, [repeated()])
    await sealing.seal(nothing)
    expect(await collections.alertWords.countDocuments()).toBe(3)
    await sealing.seal(everything)
    const standing = await collections.alerts.find().toArray()
    expect(standing).toHaveLength(1)
    expect((await collections.alertWords.find().toArray()).map(({ _id }) => _id)).toEqual([standing[0]?.block])
  })

  test('do not stop new segments, however many have no alerts', async () => {
    await collections.alertWords.insertMany(Array.from({ length: 8_200 }, (_, n) => ({ _id: `0 ${n}`, words: [] })))
    for (let part = 0; part < 11; part += 1) await insert(384)
    const sealing = sealingOf()
    for (let look = 0; look < 2; look += 1) await sealing.seal(everything)
    expect(await collections.alertSegments.countDocuments()).toBe(1)
    expect(await collections.alertWords.countDocuments({ _id: { $regex: '^0 ' } })).toBe(0)
  })

  test('do not stop new segments if their alerts got other blocks after they were counted', async () => {
    await insert(64)
    const [first] = await collections.alertWords.find().toArray()
    const sealing = sealingOf()
    expect(await sealing.seal(everything)).toBe(false)
    await collections.alerts.updateMany({ block: first!._id }, { $set: { block: 'other' } })
    for (let part = 0; part < 11; part += 1) await insert(384)
    expect(await sealing.seal(everything)).toBe(true)
    expect(await collections.alertSegments.findOne()).toMatchObject({ head: { size: 4_032 } })
    expect(await collections.alertWords.findOne({ _id: first!._id })).toBeNull()
  })

  test('are counted once while they are too few for a segment, and their words are not read', async () => {
    const asked: string[] = []
    const alerts = new Proxy(collections.alerts, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (typeof value !== 'function') return value
        return (...parameters: unknown[]) => {
          asked.push(String(property))
          return value.apply(target, parameters)
        }
      },
    })
    const sealing = sealingOf({ alerts })
    for (let n = 0; n < 70; n += 1) await insert(1)
    for (let look = 0; look < 3; look += 1) expect(await sealing.seal(everything)).toBe(false)
    expect(asked).toEqual(['aggregate'])
  })

  test('are read 128 alerts at a time, so that little is read beyond the most words of a segment', async () => {
    for (let part = 0; part < 8; part += 1) await insert(512)
    const read: number[] = []
    const alerts = new Proxy(collections.alerts, {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (property !== 'find') return typeof value === 'function' ? value.bind(target) : value
        return (filter: { readonly block: { readonly $in: readonly string[] } }, options: object) => {
          read.push(filter.block.$in.length)
          return target.find(filter, options)
        }
      },
    })
    expect(await sealingOf({ alerts }).seal(everything)).toBe(true)
    expect(read).toEqual(Array.from({ length: 32 }, () => 2))
  })

  test('become no segment while none of their alerts has a number, and are deleted when these got other blocks', async () => {
    for (let part = 0; part < 8; part += 1) await insert(512)
    await collections.alerts.updateMany({}, { $unset: { sequence: '' } })
    const sealing = sealingOf()
    expect(await sealing.seal(everything)).toBe(false)
    expect(await collections.alertSegments.countDocuments()).toBe(0)
    await collections.alerts.updateMany({}, { $set: { block: 'other' } })
    expect(await sealing.seal(everything)).toBe(false)
    expect(await collections.alertWords.countDocuments()).toBe(0)
  })
})
