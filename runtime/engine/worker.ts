import type { Logger } from 'pino'
import type { Clock, Ids, Millis } from '../domain/index.ts'
import type { Consumer, Queue } from '../queue/index.ts'
import type { Engine } from './drive.ts'
import type { EndWatch } from './end-watch.ts'
import { Investigator, type RecentAlert, type Standing } from './investigator.ts'
import { Preparer } from './prepare.ts'
import { openSessions } from './session.ts'

export interface WorkerParts {
  readonly engine: Engine
  readonly queue: Queue
  readonly watch: EndWatch
  readonly recent: RecentAlert
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Runs in work at once. */
  readonly concurrency: number
}

export interface Worker {
  /**
   * Takes no more jobs and waits for those in work, at most `limit`; what is left then is free for others at once, because the
   * session is closed.
   */
  stop(limit: Millis): Promise<void>
}

/** Starts taking jobs. @throws the store's error when no session can be opened */
export async function startWorker({ engine, queue, watch, recent, clock, ids, logger, concurrency }: WorkerParts): Promise<Worker> {
  const stopping = new AbortController()
  const preparer = new Preparer(engine.store, engine.playbooks, engine.plugins, engine.policies, clock, ids)
  const sessions = await openSessions(engine.store, clock, ids, logger, {
    onAlive: () => {
      for (const job of investigator.takeAbandoned()) void investigator.investigate(job)
      void investigator.lookForCancellations()
    },
  })
  let standing: Standing = { session: sessions.id, signal: AbortSignal.any([sessions.signal, stopping.signal]) }
  const currentStanding = (): Standing => {
    if (standing.session !== sessions.id) standing = { session: sessions.id, signal: AbortSignal.any([sessions.signal, stopping.signal]) }
    return standing
  }
  const investigator = new Investigator(engine, preparer, currentStanding, watch, recent, logger)
  const consumer: Consumer = queue.consume((job) => investigator.investigate(job), { concurrency })

  return {
    async stop(limit) {
      const cancel = clock.after(limit, () => stopping.abort(new Error('the process stops')))
      await consumer.stop()
      cancel()
      stopping.abort(new Error('the process stops'))
      await sessions.close()
    },
  }
}
