import type { Clock, Ids } from '../../domain/index.ts'
import type { Store } from '../port.ts'
import { alertStore } from './alerts.ts'
import { artifactStore } from './artifacts.ts'
import { caseStore } from './cases.ts'
import { Gate } from './coalesce.ts'
import { collectionsOf } from './collections.ts'
import { connect } from './connect.ts'
import { connectionStore } from './connections.ts'
import { translate, translated } from './faults.ts'
import { migrate } from './indexes.ts'
import { journalStore } from './journal.ts'
import { organizationStore } from './organizations.ts'
import { principalStore } from './principals.ts'
import { providerStore } from './providers.ts'
import { Recent } from './recent.ts'
import { runEnder } from './run-end.ts'
import { type KnownAlerts, runTools } from './run-tools.ts'
import { runStore } from './runs.ts'
import { sessionStore } from './sessions.ts'
import { settingStore } from './settings.ts'

/** Bulks under way at once. More keep the server busier with smaller bulks, which is slower in all. */
const bulks = 6
/** Alerts whose unchanging facts are remembered between being read and being claimed. */
const rememberedAlerts = 16_384

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
    await migrate(database)
  } catch (error) {
    await client.close()
    throw translate(error)
  }
  const collections = collectionsOf(database)
  const gate = new Gate(bulks)
  const known: KnownAlerts = new Recent(rememberedAlerts)
  const tools = runTools(collections, gate, clock)
  const ender = runEnder(tools, gate)
  return {
    organizations: translated(organizationStore(collections)),
    providers: translated(providerStore(collections)),
    principals: translated(principalStore(collections)),
    connections: translated(connectionStore(collections)),
    artifacts: translated(artifactStore(collections)),
    alerts: translated(alertStore({ collections, gate, known, clock, ids })),
    sessions: translated(sessionStore(collections)),
    runs: translated(runStore(tools, ender.end, known)),
    journal: translated(journalStore(collections, tools.insertJournal, () => ids.uuid())),
    cases: translated(caseStore(collections, gate, tools.written)),
    settings: translated(settingStore(collections)),
    async ping() {
      try {
        await database.command({ ping: 1 })
      } catch (error) {
        throw translate(error)
      }
    },
    async close() {
      await ender.idle()
      await client.close()
    },
  }
}
