import type { Logger } from 'pino'
import type { AlertUuid, Clock, Ids, Millis } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import type { ConsumeOptions, Consumer, Job, Queue } from '../../queue/index.ts'
import type { CurrentConnections } from '../prepare/current-connections.ts'
import { RunPreparer } from '../prepare/prepare-run.ts'
import type { Engine } from '../run/engine.ts'
import type { EndWatch } from './end-watch.ts'
import { type CurrentSession, type GivenAlert, JobRunner, type RecentAlert } from './job-runner.ts'
import { openSessions } from './session.ts'

export interface WorkerDeps {
  readonly engine: Engine
  readonly connections: CurrentConnections
  readonly queue: Queue
  readonly watch: EndWatch
  readonly recent: RecentAlert
  /** Absent: no process gives alerts. */
  readonly given?: GivenAlert
  readonly claiming: (alert: AlertUuid) => void
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** How many runs are in work at once. */
  readonly slots: ConsumeOptions
}

export interface Worker {
  /**
   * Takes no more jobs and waits for those in work, at most `limit`. Then closes the session, so others can
   * claim the remaining runs at once.
   */
  stop(limit: Millis): Promise<void>
}

/** How long a run may take to notice that it must stop. */
const stopGrace: Millis = 5_000

/** Returns whether work ends within a time. */
function within(clock: Clock, limit: Millis, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limit, () => resolve(false))
    work.then(() => resolve(true), reject).finally(cancel)
  })
}

/** Starts taking jobs. @throws the store's error if no session can be opened */
export async function startWorker({
  engine,
  connections,
  queue,
  watch,
  recent,
  given,
  claiming,
  clock,
  ids,
  logger,
  slots,
}: WorkerDeps): Promise<Worker> {
  const stopping = new AbortController()
  const preparer = new RunPreparer(connections, engine.playbooks, engine.plugins, engine.policies, ids, engine.turns)
  const sessions = await openSessions(engine.store, clock, ids, logger, {
    onAlive: () => {
      for (const job of jobRunner.abandoned) consumer.offer(job)
      void jobRunner.lookForCancellations()
    },
  })
  let standing: CurrentSession = { session: sessions.id, signal: AbortSignal.any([sessions.signal, stopping.signal]) }
  const currentStanding = (): CurrentSession => {
    if (standing.session !== sessions.id) standing = { session: sessions.id, signal: AbortSignal.any([sessions.signal, stopping.signal]) }
    return standing
  }
  const offer = (job: Job): void => consumer.offer(job)
  const jobRunner = new JobRunner(engine, preparer, currentStanding, { watch, recent, ...(given && { given }), claiming, offer, logger })
  const consumer: Consumer = queue.consume((job) => jobRunner.run(job), slots)

  return {
    async stop(limit) {
      logger.info({ runs: jobRunner.inWork.length }, 'stopping: this worker takes no more runs')
      const ended = Promise.all([jobRunner.stop(), consumer.stop()])
      if (!(await within(clock, limit, ended))) logger.info({ runs: jobRunner.inWork }, 'some runs have not ended; other workers will take them over')
      stopping.abort(new Error('the process stops'))
      // A run that has not stopped by now waits for a store or a system that does not answer. The fence of
      // the next claim keeps it from writing to the journal.
      if (!(await within(clock, stopGrace, ended))) logger.warn({ runs: jobRunner.inWork }, 'some runs did not stop in time')
      await sessions.close().catch((error: unknown) => {
        logger.warn({ error: messageOf(error) }, 'could not close the session; its runs become free once it is declared dead')
      })
    },
  }
}
