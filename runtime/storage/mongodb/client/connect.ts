import { type Db, MongoClient, type MongoClientOptions, MongoParseError, MongoServerError, ReadConcern } from 'mongodb'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { translate } from './faults.ts'
import { endLostWrites } from './lost-writes.ts'

export interface Connected {
  readonly client: MongoClient
  readonly database: Db
}

/**
 * How long a call waits for a primary, in milliseconds. By default, the members of a replica set notice after 10 seconds that their primary has died,
 * and elect another within 3 more. If calls gave up earlier, each write that an external system has just answered would be in doubt.
 */
const primaryWithin = 15_000
/** How long a majority may take to have a write. Milliseconds. */
const majorityWithin = 10_000
const example = 'mongodb://user:password@host:27017/tocsin?replicaSet=rs0&authSource=admin'
const defaultDatabase = 'tocsin'
/** Server codes for a wrong user, password or permission. Waiting does not help. */
const notAllowed: ReadonlySet<unknown> = new Set([13, 18, 8000])

/** Returns the options of the driver that the URL does not set. */
export function optionsFor(url: string): MongoClientOptions {
  return {
    appName: 'tocsin',
    ignoreUndefined: true,
    retryWrites: true,
    retryReads: true,
    ...(!/[?&]serverSelectionTimeoutMS=/i.test(url) && { serverSelectionTimeoutMS: primaryWithin }),
  }
}

/**
 * Connects to MongoDB and checks that it is a replica set. Without one, a retried write may happen twice.
 *
 * Writes are acknowledged when a majority has them in its journal. Reads ask the primary for what a majority
 * has. So what was acknowledged is visible, and a failover does not take back what was visible.
 * @param database null: the one in the URL's path, or else `tocsin`
 * @throws TocsinError `config_invalid`, `store_unavailable`
 */
export async function connect(url: string, database: string | null): Promise<Connected> {
  endLostWrites()
  let client: MongoClient
  try {
    client = new MongoClient(url, optionsFor(url))
  } catch (error) {
    if (error instanceof MongoParseError)
      throw new TocsinError('config_invalid', `MONGODB_URL: ${error.message}`, [], { remedy: `Write it as ${example}` })
    throw new TocsinError('config_invalid', `MONGODB_URL cannot be used: ${messageOf(error)}`, [], {
      cause: error,
      remedy: `Write it as ${example}`,
    })
  }
  try {
    await client.connect()
    const hello = await client.db('admin').command({ hello: 1 })
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid')
      throw new TocsinError(
        'config_invalid',
        'MONGODB_URL names a server that is not part of a replica set. A replica set with one member is enough.',
        [],
        {
          remedy: 'Start mongod with --replSet rs0, run rs.initiate() once in mongosh, and add ?replicaSet=rs0 to MONGODB_URL.',
        },
      )
    // If the URL names no database, the driver would use `test`.
    const named = /^[^:]+:\/\/[^/]*\/([^?]+)/.exec(url)?.[1]
    const db = client.db(database ?? (named === undefined ? defaultDatabase : decodeURIComponent(named)), {
      readPreference: 'primary',
      readConcern: new ReadConcern('majority'),
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: majorityWithin },
    })
    return { client, database: db }
  } catch (error) {
    await client.close()
    if (error instanceof MongoServerError && notAllowed.has(error.code))
      throw new TocsinError('config_invalid', `MongoDB refuses the user in MONGODB_URL: ${error.message}`, [], {
        remedy: 'Correct user, password and authSource in MONGODB_URL. The user needs the role readWrite on its database.',
      })
    throw unreachable(client, translate(error))
  }
}

/** Adds the hosts and a remedy to the error. During a start, no request can be retried. */
function unreachable(client: MongoClient, error: unknown): unknown {
  if (!(error instanceof TocsinError) || error.code !== 'store_unavailable') return error
  const hosts = client.options.srvHost ?? client.options.hosts.map((host) => host.toString()).join(', ')
  return new TocsinError('store_unavailable', `MongoDB cannot be reached at ${hosts}: ${messageOf(error.cause ?? error)}`, [], {
    cause: error.cause,
    remedy: 'Start MongoDB, or correct MONGODB_URL (hosts, replicaSet, tls), and start Tocsin again.',
  })
}
