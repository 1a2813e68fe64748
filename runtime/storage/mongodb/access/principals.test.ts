import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asId, type PrincipalId, systemScope } from '../../../domain/index.ts'
import { type Connected, connect } from '../client/connect.ts'
import { type Collections, collectionsOf } from '../database/collections.ts'
import { principalStore } from './principals.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: principals on MongoDB (MONGODB_URL is not set)')

describe.skipIf(!url)('principals on MongoDB', () => {
  let connected: Connected
  let collections: Collections
  beforeAll(async () => {
    connected = await connect(url ?? '', `principals-${randomUUID()}`)
    collections = collectionsOf(connected.database)
  })
  afterAll(async () => {
    await connected?.database.dropDatabase()
    await connected?.client.close()
  })

  test('a principal of a version that did not keep its maker has none', async () => {
    const id = asId<PrincipalId>('ada')
    const old = { name: 'ada', permissions: ['admin'], organizations: 'all', createdAt: 5 } as const
    await collections.principals.insertOne({ _id: id, ...old })
    expect(await principalStore(collections).byId(systemScope, [id])).toEqual([{ id, ...old, createdBy: null }])
  })
})
