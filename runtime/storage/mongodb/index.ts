/**
 * The store on MongoDB, for several processes. Each folder implements a part of the port. `client/` connects and
 * translates errors, and `database/` has the collections, the indexes and the schema version.
 */

import type { Db, MongoClient } from 'mongodb'
import { asId, type Clock, type Ids, type PauseId, type RunId } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { tellIfLong } from '../long-start.ts'
import type { Store } from '../port/index.ts'
import { type Assembled, assemble } from './assemble.ts'
import { connect, translate } from './client/index.ts'
import {
  type Collections,
  collectionsOf,
  forgetIdentity,
  Guard,
  type MongoNotice,
  migrate,
  noteIdentity,
  type Settled,
  settleIdentity,
} from './database/index.ts'
import { pauseEverything, raiseNumbers, rebuildWords, somethingIsUnderWay, stopEverything } from './recovery/index.ts'

export interface MongoOptions {
  readonly url: string
  /** Absent: the database in the URL's path, or else `tocsin`. */
  readonly database?: string
  readonly clock: Clock
  readonly ids: Ids
  /** Receives what an operator should know. */
  readonly report?: (notice: MongoNotice) => void
}

/**
 * Opens the store for several processes: a MongoDB replica set. It uses no multi-document transactions. Each
 * step of a method writes one document. If a crash comes between two steps, the next claim or the sweeper
 * completes the rest.
 * @throws TocsinError `config_invalid`, `store_newer`, `store_unknown`, `store_incomplete`, `store_damaged`,
 * `store_unavailable`
 */
export async function openMongoStore(options: MongoOptions): Promise<Store> {
  const { url, clock, ids, report = () => {} } = options
  const { client, database } = await connect(url, options.database ?? null)
  const collections = collectionsOf(database)
  const slow = 'MongoDB is still building indexes. After an update, that takes minutes for millions of alerts. Processes that run go on meanwhile.'
  const { identities, restored } = await opening(client, async () => {
    await tellIfLong(
      clock,
      () => report({ level: 'info', message: slow }),
      () => migrate(database, clock),
    )
    return settleIdentity(database)
  })
  const { aggregates, close } = assemble(collections, clock, ids, report)
  const guard = new Guard(database, identities, clock, report)
  if (restored)
    await opening(client, async () => {
      await afterRestoration(collections, aggregates, { clock, ids, report })
      await noteIdentity(database, identities)
    }).catch((error: unknown) => {
      guard.close()
      throw error
    })
  return {
    ...guarded(aggregates, guard),
    async ping() {
      guard.mustBeWell()
      try {
        // Same write and read concern as for alerts: acknowledged by a majority.
        await collections.settings.updateOne({ _id: 'touched' }, { $set: { value: String(clock.now()) } }, { upsert: true })
        await collections.alerts.find({}).sort({ createdAt: -1, _id: -1 }).limit(1).toArray()
      } catch (error) {
        throw new TocsinError('store_unavailable', 'MongoDB does not answer.', [], { cause: error })
      }
      guard.mustBeWell()
    },
    async close() {
      guard.close()
      await close()
      await client.close()
    },
  }
}

/** Closes the client if the work fails. */
async function opening<T>(client: MongoClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await client.close()
    throw translate(error)
  }
}

/** Makes every method fail if collections were dropped before or during the call. */
function guarded(aggregates: Assembled['aggregates'], guard: Guard): Assembled['aggregates'] {
  const guardOne = (aggregate: object): object => {
    const methods = Object.entries(aggregate).map(([name, method]: [string, (...parameters: unknown[]) => Promise<unknown>]) => [
      name,
      async (...parameters: unknown[]) => {
        guard.mustBeWell()
        const value = await method(...parameters)
        guard.mustBeWell()
        return value
      },
    ])
    return Object.fromEntries(methods)
  }
  return Object.fromEntries(Object.entries(aggregates).map(([name, aggregate]) => [name, guardOne(aggregate)])) as unknown as Assembled['aggregates']
}

/**
 * Skips the numbers that may have been given after the dump. If the dump has unfinished work or
 * fetches alerts, pauses everything until a person has looked.
 */
async function afterRestoration(
  collections: Collections,
  store: Assembled['aggregates'],
  { clock, ids, report }: Required<Pick<MongoOptions, 'clock' | 'ids' | 'report'>>,
): Promise<void> {
  await raiseNumbers(collections)
  // A dump reads one collection after the other, while alerts move from one to another.
  await rebuildWords(collections, ids)
  report({
    level: 'warn',
    message: 'The database was restored or copied. Numbers of new alerts and cases start 1000000 higher, so that none is given twice.',
  })
  if (!(await somethingIsUnderWay(collections))) return
  const reason =
    'The database was restored or copied. Work that was under way in it may have been done since, and the original may fetch the same alerts. Look at the alerts and runs that wait, then resume.'
  await pauseEverything(collections, store, { id: asId<PauseId>(ids.uuid()), by: 'tocsin', reason, at: clock.now() })
}

/**
 * Makes a database usable again after collections were dropped. New numbers start above the known ones.
 * Unfinished runs are cancelled, and everything is paused.
 * @returns the cancelled runs; null if nothing was missing, and so nothing was changed
 * @throws TocsinError the errors of `openMongoStore`
 */
export async function acceptMongoLoss(options: Omit<MongoOptions, 'report'>, by: string): Promise<readonly RunId[] | null> {
  const { url, clock, ids } = options
  const { client, database } = await connect(url, options.database ?? null)
  return opening(client, async () => {
    await migrate(database, clock)
    if (await isWhole(database)) return null
    const collections = collectionsOf(database)
    const { aggregates, close } = assemble(collections, clock, ids)
    await raiseNumbers(collections)
    await rebuildWords(collections, ids)
    const cancelled = await stopEverything(collections, aggregates, by, clock.now(), ids)
    await close()
    await forgetIdentity(database)
    await settleIdentity(database)
    return cancelled
  }).finally(() => client.close())
}

async function isWhole(database: Db): Promise<boolean> {
  try {
    const { restored }: Settled = await settleIdentity(database)
    return !restored
  } catch (error) {
    if (error instanceof TocsinError && error.code === 'store_incomplete') return false
    throw error
  }
}
