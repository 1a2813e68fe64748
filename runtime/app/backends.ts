import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import { systemScope } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import { type Hints, noOtherProcesses, openRedisHints } from '../hints/index.ts'
import { openBullQueue, openEmbeddedQueue, type Queue } from '../queue/index.ts'
import { LocalPermitSource, openRedisPermitSource, type PermitSource } from '../rate-limit/index.ts'
import { type Notice, openEmbeddedStore } from '../storage/embedded/index.ts'
import type { Store } from '../storage/index.ts'
import { keptBesideTheStore } from './kept-files.ts'
import type { Seams } from './seams.ts'

/** What several processes of an installation share on Redis, besides the queue. */
interface SharedRedis {
  readonly url: string
  /** The prefix of all keys and channels of this installation. */
  readonly prefix: string
}

/** The store and the queue of a process, and what tells other processes about them. */
export interface Backends {
  readonly store: Store
  readonly queue: Queue
  readonly permits: PermitSource
  /** Tells the other processes what happens. */
  readonly hints: Hints
  /** Null: this process is the only one. */
  readonly redis: SharedRedis | null
  /** Closes all of it. For a start that fails: a process that works closes more, in an order of its own. */
  close(): Promise<void>
}

type Opened = Omit<Backends, 'close'>

async function open({ backends, data }: Config, logger: Logger, { clock, ids }: Seams): Promise<Opened> {
  const report = (error: unknown): void => logger.warn({ error: messageOf(error) }, 'the queue reported an error')
  const told = ({ level, message }: Notice): void => logger[level](message)
  if (backends.kind === 'embedded') {
    const store = await openEmbeddedStore({ directory: data, clock, report: told, companions: keptBesideTheStore })
    return { store, queue: openEmbeddedQueue(clock, report), permits: new LocalPermitSource(clock), hints: noOtherProcesses, redis: null }
  }
  // MongoDB and Redis are loaded only if they are used: without them, a process starts sooner.
  const { openMongoStore } = await import('../storage/mongodb/index.ts')
  const store = await openMongoStore({ url: backends.mongodb, clock, ids, report: told })
  try {
    // The store's id is part of the queue's name: installations that share a Redis must not take each other's jobs.
    const installation = await store.settings.settle(systemScope, 'installation', ids.uuid())
    const redis = { url: backends.redis, prefix: `tocsin-${installation}` }
    const shared = { ...redis, clock }
    const queue = await openBullQueue({ ...shared, report, direct: true })
    const unshared = (error: unknown): void =>
      logger.warn({ error: messageOf(error) }, 'Redis does not answer; until it does, each process counts the rate limits of connections by itself')
    const permits = await openRedisPermitSource({ ...shared, report: unshared })
    const hints = await openRedisHints({ ...shared, ids })
    return { store, queue, permits, hints, redis }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Opens the store and the queue. This file loads little, so that a start can open them while it loads the rest.
 * @throws TocsinError `store_locked`, `store_newer`, `store_unknown`, `store_unavailable`; `queue_unavailable` if Redis refuses
 */
export async function openBackends(config: Config, logger: Logger, seams: Seams): Promise<Backends> {
  const opened = await open(config, logger, seams)
  return {
    ...opened,
    async close() {
      await opened.queue.close()
      opened.permits.close()
      opened.hints.close()
      await opened.store.close()
    },
  }
}
