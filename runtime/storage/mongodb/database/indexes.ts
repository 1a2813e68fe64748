import { type Collection, type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError, ObjectId } from 'mongodb'
import type { CaseStatus, Clock, RunState } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { baselineVersion, mustKnow } from '../../schema-version.ts'
import { notKnown, notKnownIndex } from '../cases/words/known.ts'
import { repeatedOnce } from '../client/index.ts'
import { type Collections, collectionsOf } from './collections.ts'
import { locked } from './lock.ts'

/**
 * MongoDB uses an index for some states only if the query has a condition on exactly these states, or on one of them,
 * and only if the state comes first in the index. (Seen with `explain` in 7.0.) So a query for some of them also names
 * all of them.
 */
export const fewStates = ['running', 'waiting', 'failed'] as const satisfies readonly RunState[]
/** Like `fewStates`: the statuses of open cases. */
export const openStatuses = ['new', 'in_progress', 'analyst_pending', 'customer_pending', 'contained'] as const satisfies readonly CaseStatus[]

/**
 * The indexes beside `_id`, which most reads use. Collections that every alert writes to have only the
 * indexes that a reader or a rule needs. The six small indexes of an alert take two of the nine milliseconds
 * of an insert of sixty-four (measured). Those of runs, journal entries and timeline entries cost almost
 * nothing.
 */
const indexes: Readonly<Record<keyof Collections, readonly IndexDescription[]>> = {
  organizations: [{ key: { folded: 1 }, unique: true }],
  policies: [],
  quotaCalls: [{ key: { lapsesAt: 1 }, expireAfterSeconds: 0 }],
  providers: [],
  principals: [],
  keys: [{ key: { hash: 1 }, unique: true }],
  agents: [
    { key: { publicKey: 1 }, unique: true, partialFilterExpression: { publicKey: { $type: 'string' } } },
    { key: { 'enrolment.hash': 1 }, unique: true, partialFilterExpression: { 'enrolment.hash': { $type: 'string' } } },
  ],
  acts: [{ key: { at: 1, _id: 1 } }, { key: { terms: 1, at: 1, _id: 1 } }, { key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  connections: [
    { key: { organization: 1, instance: 1 }, unique: true },
    { key: { organization: 1, integration: 1, isDefault: 1 }, unique: true, partialFilterExpression: { isDefault: true } },
  ],
  artifacts: [],
  activations: [],
  alerts: [
    // Sparse, because an alert without a number has no id either.
    { key: { alertId: 1 }, unique: true, sparse: true },
    { key: { createdAt: 1, _id: 1 } },
    { key: { organization: 1, createdAt: 1, _id: 1 } },
    { key: { block: 1 } },
    { key: { createdBy: 1, 'idempotency.key': 1 }, unique: true, partialFilterExpression: { 'idempotency.key': { $exists: true } } },
    // Open alerts, which are few among many ended ones.
    { key: { createdAt: 1, _id: 1, organization: 1 }, partialFilterExpression: { status: { $lt: 15 }, typeKey: { $type: 'string' } } },
    // Duplicates, by the alert that they repeat.
    { key: { 'duplicateOf.alertUuid': 1, createdAt: 1, _id: 1 }, partialFilterExpression: { 'duplicateOf.alertUuid': { $exists: true } } },
    // For the sweeper. They hold only what waits, so looking costs nothing if nothing waits.
    { key: { waitingSince: 1 }, sparse: true },
    { key: { unnumberedSince: 1 }, sparse: true },
    { key: { retryAt: 1 }, partialFilterExpression: { retryAt: { $gt: 0 } } },
    { key: { heldBy: 1 }, sparse: true },
    // Retried alerts, which are few. For those whose page of states does not know it yet (`StatesDocument`).
    { key: { paged: 1, retryCount: 1, createdAt: 1, _id: 1 }, partialFilterExpression: { retryCount: { $gt: 0 } } },
  ],
  alertWords: [{ key: { words: 1 } }],
  alertSegments: [],
  alertPages: [{ key: { segment: 1 } }],
  alertStates: [],
  counters: [],
  sessions: [],
  runs: [
    { key: { owner: 1 }, partialFilterExpression: { state: 'running' } },
    { key: { 'cancelled.at': 1 }, partialFilterExpression: { state: 'running', 'cancelled.at': { $gt: 0 } } },
    // Held runs must not slow down the search for due ones.
    { key: { heldBy: 1, wakeAt: 1 }, partialFilterExpression: { state: 'waiting' } },
    { key: { heldBy: 1 }, sparse: true },
    { key: { startedAt: 1, _id: 1 } },
    { key: { organization: 1, startedAt: 1, _id: 1 } },
    // Most runs complete, so this index of the others stays small. See `fewStates`.
    { key: { state: 1, startedAt: 1, _id: 1, organization: 1 }, partialFilterExpression: { state: { $in: [...fewStates] } } },
    { key: { told: 1 }, sparse: true },
    { key: { type: 1, startedAt: 1, _id: 1 } },
    { key: { 'pins.playbook.name': 1, startedAt: 1, _id: 1 } },
  ],
  fingerprints: [{ key: { closesAt: 1 } }],
  journal: [{ key: { unsettled: 1 }, sparse: true }],
  outputs: [],
  outputParts: [],
  cases: [
    { key: { alert: 1 }, unique: true },
    { key: { caseId: 1 }, unique: true },
    { key: { organization: 1, joinKey: 1 }, unique: true, partialFilterExpression: { joinable: true } },
    { key: { organization: 1, joinKey: 1, modifiedAt: 1, number: 1 }, partialFilterExpression: { joinKey: { $exists: true } } },
    { key: { createdAt: 1, _id: 1 } },
    { key: { organization: 1, createdAt: 1, _id: 1 } },
    { key: { attention: 1, createdAt: 1, _id: 1, organization: 1 }, partialFilterExpression: { attention: true } },
    // Most cases are closed, so this index of open cases stays small. See `openStatuses`.
    { key: { status: 1, createdAt: 1, _id: 1, organization: 1 }, partialFilterExpression: { status: { $in: [...openStatuses] } } },
    { key: { told: 1 }, sparse: true },
    // Filters and orders that would otherwise read all cases.
    { key: { modifiedAt: 1, _id: 1 } },
    { key: { severity: 1, createdAt: 1, _id: 1 } },
    { key: { disposition: 1, createdAt: 1, _id: 1 } },
    { key: { status: 1, createdAt: 1, _id: 1 }, partialFilterExpression: { status: 'closed' } },
    // Cases of nobody too. Of an index of names alone, MongoDB would read all cases of a person, and sort them. (Seen with `explain` in 7.0.)
    { key: { assignee: 1, createdAt: 1, _id: 1 }, name: 'assignee_or_nobody' },
    { key: { 'desk.tags': 1, createdAt: 1, _id: 1 }, partialFilterExpression: { 'desk.tags': { $exists: true } } },
    // The cases that no segment knows as they are: those that are new, or say something else now.
    { key: notKnownIndex, partialFilterExpression: notKnown },
  ],
  caseSegments: [{ key: { place: 1 } }],
  casePages: [{ key: { segment: 1 } }],
  timeline: [],
  mentions: [],
  decisions: [
    { key: { askedAt: 1, _id: 1 } },
    { key: { state: 1, askedAt: 1, _id: 1 } },
    { key: { deadline: 1, _id: 1 }, partialFilterExpression: { state: 'open' } },
    { key: { organization: 1, askedAt: 1, _id: 1 } },
    { key: { run: 1, askedAt: 1, _id: 1 } },
    // Filters that few decisions may pass.
    { key: { kind: 1, state: 1, askedAt: 1, _id: 1 } },
    { key: { quota: 1, askedAt: 1, _id: 1 }, partialFilterExpression: { quota: { $exists: true } } },
    { key: { untold: 1 }, sparse: true },
    { key: { openedTold: 1 }, sparse: true },
    { key: { closedTold: 1 }, sparse: true },
    { key: { organization: 1, quota: 1 }, partialFilterExpression: { state: 'open', quota: { $exists: true } } },
  ],
  pauses: [{ key: { key: 1 }, unique: true, partialFilterExpression: { standing: true } }, { key: { pausedAt: 1, _id: 1 } }],
  fetches: [{ key: { dueAt: 1, _id: 1 }, partialFilterExpression: { enabled: true } }],
  settings: [],
  webhooks: [],
  deliveries: [
    // For the webhooks that have deliveries due, and for the due deliveries of one webhook.
    { key: { dueAt: 1, webhook: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
    { key: { webhook: 1, dueAt: 1 }, partialFilterExpression: { dueAt: { $exists: true } } },
    { key: { webhook: 1, createdAt: 1, _id: 1 } },
    { key: { webhook: 1, state: 1, createdAt: 1, _id: 1 } },
    { key: { state: 1, endedAt: 1 }, partialFilterExpression: { endedAt: { $exists: true } } },
  ],
}

interface SchemaDocument {
  readonly _id: 'schema'
  readonly version: number
}

/**
 * A step from one version of the documents to the next. Two processes may run it at once, and it may be
 * interrupted. So it must be safe to repeat.
 */
export type Migration = (database: Db) => Promise<void>

/**
 * The baseline, then one migration for each later change. Never change a released one: append another.
 *
 * Append one (it may be `createAll` again) whenever an earlier release would go wrong with what this one
 * writes. The higher version keeps the earlier release from opening the database.
 *
 * The second step creates the segments of words. An earlier release would not find the alerts whose words are there. The third creates
 * pages of states, and the index of retried alerts. The fourth creates indexes for filters that few cases or runs may pass. The fifth only keeps
 * out releases that would accept an expired key, or count a key and its maker as two approvers. Each start runs the first step again. So an
 * index that was added later, and that no earlier release goes wrong with, needs no step.
 */
const steps: readonly Migration[] = [createAll, createAll, createAll, createAll, createAll]
/** The version of what this Tocsin writes. */
export const schemaVersion = baselineVersion + steps.length - 1

const namespaceExists = 48
const namespaceNotFound = 26

function isCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code
}

/** Creates a collection. If the primary steps down meanwhile, asks the next one, which may have the collection already. */
async function createOne(database: Db, name: string): Promise<Collection> {
  try {
    return await repeatedOnce(() => database.createCollection(name))
  } catch (error) {
    if (!isCode(error, namespaceExists)) throw error
    return database.collection(name)
  }
}

/**
 * Creates a collection that another process may be creating too. Creates it under a name of its own, then
 * renames it if it is the first.
 */
async function createAmongOthers(database: Db, name: string): Promise<void> {
  const own = await createOne(database, `${name}.${new ObjectId().toHexString()}`)
  try {
    await repeatedOnce(() => own.rename(name))
  } catch (error) {
    // Nobody else knows its own name. So the first primary had renamed it before it stepped down.
    if (isCode(error, namespaceNotFound)) return
    await repeatedOnce(() => own.drop())
    if (!isCode(error, namespaceExists)) throw error
  }
}

async function collectionNames(database: Db): Promise<ReadonlySet<string>> {
  return new Set((await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name))
}

const duplicateKey = 11_000

/**
 * Creates the indexes of one collection. If the primary steps down meanwhile, asks the next one.
 * @throws TocsinError `store_damaged` if there are documents that a unique index forbids
 */
async function createIndexesOf(collection: Collection, wanted: readonly IndexDescription[]): Promise<void> {
  try {
    if (wanted.length > 0) await repeatedOnce(() => collection.createIndexes([...wanted]))
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error
    const key = JSON.stringify(error['keyValue'] ?? {})
    throw new TocsinError(
      'store_damaged',
      `The collection ${collection.collectionName} has two documents with ${key}: its unique index had been dropped.`,
      [],
      {
        cause: error,
        remedy: 'Look at both documents, keep the right one, and start Tocsin again. It then creates the index again.',
      },
    )
  }
}

/**
 * Creates unique indexes again that somebody has dropped. Without them, there could be two cases or alerts
 * with one number.
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

/**
 * Creates collections and indexes. Those that exist stay as they are. Creates the collections first, because
 * many concurrent first writes must not create them.
 */
async function createAll(database: Db): Promise<void> {
  const there = await collectionNames(database)
  const all = Object.entries(collectionsOf(database)).map(([name, collection]) => ({ collection, wanted: indexes[name as keyof Collections] }))
  for (const { collection, wanted } of all) {
    if (there.has(collection.collectionName)) continue
    await createOne(database, collection.collectionName)
    await createIndexesOf(collection, wanted)
  }
  // Usually all are there, and MongoDB only compares their indexes.
  await Promise.all(all.map(({ collection, wanted }) => there.has(collection.collectionName) && createIndexesOf(collection, wanted)))
}

/**
 * Migrates a database to the schema of this version, before anything is written to it. The first of `known`
 * makes version `baselineVersion`, and each further one the next version. Processes that start together do
 * this one after the other.
 * @throws TocsinError `store_newer`, `store_unknown`, `store_damaged`
 */
export async function migrate(database: Db, clock: Clock, known: readonly Migration[] = steps): Promise<void> {
  const schema = database.collection<SchemaDocument>('schema')
  const read = async (): Promise<number> => (await schema.findOne({ _id: 'schema' }))?.version ?? 0
  mustKnow(await read(), known.length)
  if (!(await collectionNames(database)).has('schema')) await createAmongOthers(database, 'schema')
  if ((await read()) === baselineVersion + known.length - 1) {
    // Run the baseline at every start, so that an index that somebody dropped comes back.
    await known[0]?.(database)
    return
  }
  await locked(database.collection('schema'), 'lock', clock, async () => {
    let done: Migration | null = null
    for (const [index, step] of known.entries()) {
      const next = baselineVersion + index
      if (next <= (await read())) continue
      // What this process has just done is still so. A new database has the same step several times.
      if (step !== done) await step(database)
      done = step
      await schema.updateOne({ _id: 'schema' }, { $max: { version: next } }, { upsert: true })
    }
  })
}
