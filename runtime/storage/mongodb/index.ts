import type { Clock, Ids } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../port.ts'
import { assemble } from './assemble.ts'
import { collectionsOf } from './collections.ts'
import { connect } from './connect.ts'
import { translate } from './faults.ts'
import { migrate } from './indexes.ts'

/**
 * The store of several processes: a MongoDB replica set. No multi-document transaction is used: every step of the port's methods
 * is one document's write, and what a crash leaves between two steps the next claim or the sweeper completes.
 * @throws TocsinError `config_invalid`, `store_newer`, `store_unavailable`
 */
export async function openMongoStore(options: {
  readonly url: string
  /** Default: the one that the URL names, else `tocsin`. */
  readonly database?: string
  readonly clock: Clock
  readonly ids: Ids
}): Promise<Store> {
  const { url, clock, ids } = options
  const { client, database } = await connect(url, options.database ?? null)
  try {
    await migrate(database, clock)
  } catch (error) {
    await client.close()
    throw translate(error)
  }
  const { aggregates, idle } = assemble(collectionsOf(database), clock, ids)
  return {
    ...aggregates,
    async ping() {
      try {
        await database.command({ ping: 1 })
      } catch (error) {
        throw new TocsinError('store_unavailable', 'MongoDB does not answer.', [], { cause: error })
      }
    },
    async close() {
      await idle()
      await client.close()
    },
  }
}
