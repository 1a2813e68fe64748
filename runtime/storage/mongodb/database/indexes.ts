import { type Collection, type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError, ObjectId } from 'mongodb'
import type { Clock } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { baselineVersion, mustKnow } from '../../schema-version.ts'
import { type Collections, collectionsOf } from './collections.ts'
import { locked } from './lock.ts'

/**
 * Besides `_id`, which most reads go by. What is on the hot path carries only what a reader or a rule needs:
 * an alert's insert pays for six small indexes (two milliseconds in nine for sixty-four alerts, measured), a run's, a journal
 * entry's and a timeline entry's for next to none.
 */
const indexes: Readonly<Record<keyof Collections, readonly IndexDescription[]>> = {
  organizations: [{ key: { folded: 1 }, unique: true }],
  policies: [],
  quotaCalls: [{ key: { lapsesAt: 1 }, expireAfterSeconds: 0 }],
  providers: [],
  principals: [],
  keys: [{ key: { hash: 1 }, unique: true }],
  connections: [
    { key: { organization: 1, instance: 1 }, unique: true },
    { key: { organization: 1, integration: 1, isDefault: 1 }, unique: true, partialFilterExpression: { isDefault: true } },
  ],
  artifacts: [],
  activations: [],
  alerts: [
    // Sparse: an alert that has no number yet has no id either.
    { key: { alertId: 1 }, unique: true, sparse: true },
    { key: { createdAt: 1, _id: 1 } },
    { key: { organization: 1, createdAt: 1, _id: 1 } },
    { key: { block: 1 } },
    { key: { createdBy: 1, 'idempotency.key': 1 }, unique: true, partialFilterExpression: { 'idempotency.key': { $exists: true } } },
    // What is open, which is little where what is over is much: asking for it must not walk over the rest.
    { key: { createdAt: 1, _id: 1, organization: 1 }, partialFilterExpression: { status: { $lt: 15 }, typeKey: { $type: 'string' } } },
    // Duplicates, by what they repeat.
    { key: { 'duplicateOf.alertUuid': 1, createdAt: 1, _id: 1 }, partialFilterExpression: { 'duplicateOf.alertUuid': { $exists: true } } },
    // The sweeper's: they hold only what waits, so looking costs nothing when nothing does.
    { key: { waitingSince: 1 }, sparse: true },
    { key: { unnumberedSince: 1 }, sparse: true },
    { key: { retryAt: 1 }, partialFilterExpression: { retryAt: { $gt: 0 } } },
    { key: { heldBy: 1 }, sparse: true },
  ],
  alertWords: [{ key: { words: 1 } }],
  counters: [],
  sessions: [],
  runs: [
    { key: { owner: 1 }, partialFilterExpression: { state: 'running' } },
    { key: { 'cancelled.at': 1 }, partialFilterExpression: { state: 'running', 'cancelled.at': { $gt: 0 } } },
    // What is held by a pause must not be walked over to find what is due.
    { key: { heldBy: 1, wakeAt: 1 }, partialFilterExpression: { state: 'waiting' } },
    { key: { heldBy: 1 }, sparse: true },
    { key: { startedAt: 1, _id: 1 } },
    { key: { organization: 1, startedAt: 1, _id: 1 } },
    // Failed runs, which are few among many.
    { key: { startedAt: 1, _id: 1, organization: 1 }, partialFilterExpression: { state: 'failed' } },
    { key: { told: 1 }, sparse: true },
  ],
  fingerprints: [{ key: { closesAt: 1 } }],
  journal: [{ key: { unsettled: 1 }, sparse: true }],
  outputs: [],
  outputParts: [],
  cases: [
    { key: { alert: 1 }, unique: true },
    { key: { caseId: 1 }, unique: true },
    { key: { organization: 1, joinKey: 1 }, unique: true, partialFilterExpression: { joinable: true } },
    { key: { createdAt: 1, _id: 1 } },
    { key: { organization: 1, createdAt: 1, _id: 1 } },
    { key: { createdAt: 1, _id: 1, organization: 1 }, partialFilterExpression: { attention: true } },
    { key: { told: 1 }, sparse: true },
  ],
  timeline: [],
  decisions: [
    { key: { askedAt: 1, _id: 1 } },
    { key: { state: 1, askedAt: 1, _id: 1 } },
    { key: { organization: 1, askedAt: 1, _id: 1 } },
    { key: { run: 1, askedAt: 1, _id: 1 } },
    { key: { untold: 1 }, sparse: true },
    { key: { openedTold: 1 }, sparse: true },
    { key: { closedTold: 1 }, sparse: true },
    { key: { organization: 1, quota: 1 }, partialFilterExpression: { state: 'open', quota: { $exists: true } } },
  ],
  pauses: [{ key: { key: 1 }, unique: true, partialFilterExpression: { standing: true } }, { key: { pausedAt: 1, _id: 1 } }],
  settings: [],
  webhooks: [],
  deliveries: [
    // Which webhooks have something due, and what of one webhook is.
    { key: { dueAt: 1, webhook: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
    { key: { webhook: 1, dueAt: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
    { key: { webhook: 1, createdAt: 1, _id: 1 } },
    { key: { state: 1, endedAt: 1 }, partialFilterExpression: { endedAt: { $exists: true } } },
  ],
}

interface SchemaDocument {
  readonly _id: 'schema'
  readonly version: number
}

/** A step from one version of the documents to the next. Two processes may take it at once, and it may be interrupted: it must bear repeating. */
export type Migration = (database: Db) => Promise<void>

/**
 * The baseline, then one migration for each later change. Never change one that was released: append another.
 *
 * Append one (it may be `createAll` again) whenever an earlier release would go wrong with what this one writes: the higher version keeps it from
 * opening the database.
 */
const steps: readonly Migration[] = [createAll]
/** Of what this Tocsin writes. */
export const schemaVersion = baselineVersion + steps.length - 1

const namespaceExists = 48

/** Makes a collection that another process may be making at this moment: under a name of its own, then renamed if it is the first. */
async function createAmongOthers(database: Db, name: string): Promise<void> {
  const own = await database.createCollection(`${name}.${new ObjectId().toHexString()}`)
  try {
    await own.rename(name)
  } catch (error) {
    await own.drop()
    if (!(error instanceof MongoServerError) || error.code !== namespaceExists) throw error
  }
}

async function collectionNames(database: Db): Promise<ReadonlySet<string>> {
  return new Set((await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name))
}

const duplicateKey = 11_000

/** Creates the indexes of one collection. @throws TocsinError `store_damaged` if there are documents that a unique index forbids */
async function createIndexesOf(collection: Collection, wanted: readonly IndexDescription[]): Promise<void> {
  try {
    if (wanted.length > 0) await collection.createIndexes([...wanted])
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error
    const key = JSON.stringify(error['keyValue'] ?? {})
    throw new TocsinError(
      'store_damaged',
      `The collection ${collection.collectionName} has two documents with ${key}: its unique index had been dropped.`,
      [],
      {
        cause: error,
        remedy: 'Look at both documents, keep the right one, and start Tocsin again: it makes the index again.',
      },
    )
  }
}

/**
 * Creates unique indexes again that somebody has dropped. Without them, there could be two cases or alerts with one number.
 * @returns the indexes that were missing, as `collection (keys)`
 * @throws TocsinError `store_damaged`
 */
export async function restoreUniqueIndexes(database: Db): Promise<readonly string[]> {
  const restored: string[] = []
  for (const [name, collection] of Object.entries(collectionsOf(database))) {
    const unique = indexes[name as keyof Collections].filter((index) => index.unique)
    if (unique.length === 0) continue
    const there: readonly IndexDescriptionInfo[] = await collection.indexes()
    const keysOf = (key: object): string => JSON.stringify(Object.entries(key))
    const missing = unique.filter((index) => !there.some((one) => one.unique && keysOf(one.key) === keysOf(index.key)))
    await createIndexesOf(collection, missing)
    restored.push(...missing.map((index) => `${collection.collectionName} (${Object.keys(index.key).join(', ')})`))
  }
  return restored
}

/** Collections and indexes; what is there already stays as it is. Collections come first: many first writes at once must not make them. */
async function createAll(database: Db): Promise<void> {
  const there = await collectionNames(database)
  for (const [name, collection] of Object.entries(collectionsOf(database))) {
    if (!there.has(collection.collectionName)) await database.createCollection(collection.collectionName)
    await createIndexesOf(collection, indexes[name as keyof Collections])
  }
}

/**
 * Brings a database to the schema of this version before anything is written to it. The first of `known` makes version `baselineVersion`, and each
 * further one the next version. Processes that start together do so one after the other.
 * @throws TocsinError `store_newer`, `store_unknown`
 */
export async function migrate(database: Db, clock: Clock, known: readonly Migration[] = steps): Promise<void> {
  const schema = database.collection<SchemaDocument>('schema')
  const read = async (): Promise<number> => (await schema.findOne({ _id: 'schema' }))?.version ?? 0
  mustKnow(await read(), known.length)
  if (!(await collectionNames(database)).has('schema')) await createAmongOthers(database, 'schema')
  if ((await read()) === baselineVersion + known.length - 1) {
    // At every start, so that an index that somebody dropped comes back.
    await known[0]?.(database)
    return
  }
  await locked(database.collection('schema'), 'lock', clock, async () => {
    for (const [index, step] of known.entries()) {
      const next = baselineVersion + index
      if (next <= (await read())) continue
      await step(database)
      await schema.updateOne({ _id: 'schema' }, { $max: { version: next } }, { upsert: true })
    }
  })
}
