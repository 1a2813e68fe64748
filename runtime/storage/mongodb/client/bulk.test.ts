import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { assigner } from './bulk.ts'
import { BulkTurns } from './bulk-turns.ts'
import { type Connected, connect } from './connect.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: bulks in MongoDB (MONGODB_URL is not set)')

interface Thing {
  readonly _id: string
  readonly state: number
  readonly by: string
}

describe.skipIf(!url)('assignments that share a bulk', () => {
  let opened: Connected

  beforeAll(async () => {
    opened = await connect(url ?? '', `bulk-${randomUUID()}`)
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  test('all reach their documents, also two with the same condition to one document', async () => {
    const things = opened.database.collection<Thing>('things')
    await things.insertMany(['a', 'b', 'c'].map((_id) => ({ _id, state: 0, by: '' })))
    const assign = assigner(new BulkTurns({ busy: 1, quiet: 1 }, new ManualClock()), things)
    const when = { state: { $in: [0, 10] } }
    await Promise.all([
      assign({ id: 'a', when, set: { state: 10, by: 'first' } }),
      assign({ id: 'b', when, set: { state: 10, by: 'first' } }),
      assign({ id: 'a', when, set: { state: 15, by: 'second' } }),
      assign({ id: 'c', when: { state: 5 }, set: { state: 10, by: 'nobody' } }),
    ])
    expect(await things.find({}).sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', state: 15, by: 'second' },
      { _id: 'b', state: 10, by: 'first' },
      { _id: 'c', state: 0, by: '' },
    ])
  })
})
