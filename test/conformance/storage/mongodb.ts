import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { systemClock, systemIds } from '../../../runtime/config/seams.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { openMongoStore } from '../../../runtime/storage/mongodb/index.ts'
import type { Harness, Opened } from './harness.ts'

/**
 * Opens MongoDB, each store in its own database. Store time is the server's, so the harness lets it pass by
 * moving stored times back.
 */
export function mongoHarness(url: string): Harness {
  return {
    name: 'MongoDB',
    async open(): Promise<Opened> {
      const database = `conformance-${randomUUID()}`
      const client = new MongoClient(url)
      const openOne = (): Promise<Store> => openMongoStore({ url, database, clock: systemClock, ids: systemIds })
      let store = await openOne()
      let other: Store | null = null
      return {
        get store() {
          return store
        },
        async second() {
          other ??= await openOne()
          return other
        },
        async reopen() {
          await store.close()
          store = await openOne()
        },
        async pass(duration) {
          const earlier = async (collection: string, field: string): Promise<void> => {
            const back = [{ $set: { [field]: { $subtract: [`$${field}`, duration] } } }]
            await client
              .db(database)
              .collection(collection)
              .updateMany({ [field]: { $exists: true } }, back, { writeConcern: { w: 'majority' } })
          }
          await earlier('sessions', 'heartbeatAt')
          const moved = { $map: { input: '$calls', in: { key: '$$this.key', at: { $subtract: ['$$this.at', duration] } } } }
          const quotas = client.db(database).collection('quota_calls')
          await quotas.updateMany({}, [{ $set: { calls: moved } }], { writeConcern: { w: 'majority' } })
          for (const field of ['leasedUntil', 'refusedUntil']) await earlier('connections', `access.${field}`)
          for (const field of ['dueAt', 'since', 'endedAt']) await earlier('deliveries', field)
          await earlier('fetches', 'dueAt')
        },
        async close() {
          await Promise.all([store.close(), other?.close()])
          await client.db(database).dropDatabase()
          await client.close()
        },
      }
    },
  }
}
