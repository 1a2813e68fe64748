import { randomUUID } from 'node:crypto'
import { type AnyBulkWriteOperation, type Collection, type Document, MongoClient } from 'mongodb'
import type { FloorAlert } from './alert.ts'
import { inBulks } from './in-bulks.ts'
import type { FloorRecord } from './record.ts'

interface AlertDocument {
  readonly _id: string
  readonly number: number
  readonly type: string
  readonly content: string
  readonly status: 'created' | 'running' | 'done'
  readonly claim: string | null
}

interface EntryDocument {
  readonly alert: string
  readonly sequence: number
  readonly kind: string
  readonly value: unknown
}

interface CaseDocument {
  readonly _id: string
  readonly title: string
  readonly severity: string
}

/** Writes to one collection, together with what others write in the same turn of the event loop. */
function writer<T extends Document>(collection: Collection<T>): (operation: AnyBulkWriteOperation<T>) => Promise<void> {
  return inBulks(async (operations) => {
    await collection.bulkWrite([...operations], { ordered: false })
    return operations.map(() => undefined)
  })
}

/**
 * Floor 2 keeps a numbered alert, its claim, a journal, a case and the end in MongoDB, with `w: majority, j: true`. Concurrent runs share bulks:
 * one for each collection and turn of the event loop.
 */
export async function openMongoRecord(url: string): Promise<FloorRecord> {
  const client = await MongoClient.connect(url, { writeConcern: { w: 'majority', journal: true } })
  const database = client.db()
  // All collections are there before many writes at once would create them.
  for (const name of ['counters', 'alerts', 'journal', 'cases']) await database.createCollection(name)
  const counters = database.collection<{ readonly _id: string; readonly last: number }>('counters')
  const alerts = database.collection<AlertDocument>('alerts')
  const journal = database.collection<EntryDocument>('journal')
  await journal.createIndex({ alert: 1, sequence: 1 }, { unique: true })

  const add = inBulks<FloorAlert, void>(async (added) => {
    const counter = await counters.findOneAndUpdate({ _id: 'alerts' }, { $inc: { last: added.length } }, { upsert: true, returnDocument: 'after' })
    const first = (counter?.last ?? 0) - added.length + 1
    const documents = added.map(({ id, type, content }, index) => ({ _id: id, number: first + index, type, content }))
    await alerts.bulkWrite(
      documents.map((document) => ({ insertOne: { document: { ...document, status: 'created' as const, claim: null } } })),
      { ordered: false },
    )
    return added.map(() => undefined)
  })
  const claim = inBulks<FloorAlert, boolean>(async (claimed) => {
    const token = randomUUID()
    const set = { $set: { status: 'running' as const, claim: token } }
    const done = await alerts.bulkWrite(
      claimed.map(({ id }) => ({ updateOne: { filter: { _id: id, claim: null }, update: set } })),
      { ordered: false },
    )
    if (done.matchedCount === claimed.length) return claimed.map(() => true)
    const won = new Set((await alerts.find({ claim: token }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id))
    return claimed.map(({ id }) => won.has(id))
  })
  const write = { alert: writer(alerts), entry: writer(journal), case: writer(database.collection<CaseDocument>('cases')) }
  const note: FloorRecord['note'] = (alert, sequence, { kind, value }) =>
    write.entry({ insertOne: { document: { alert: alert.id, sequence, kind, value } } })
  return {
    add,
    claim,
    note,
    step: (alert, sequence) => note(alert, sequence, { kind: 'step', value: null }),
    async end({ id, title }) {
      await write.case({ insertOne: { document: { _id: id, title, severity: 'low' } } })
      await write.alert({ updateOne: { filter: { _id: id }, update: { $set: { status: 'done' } } } })
    },
    async close() {
      await database.dropDatabase()
      await client.close()
    },
  }
}
