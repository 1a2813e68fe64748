import type { Logger } from 'pino'
import { type Alert, type Clock, normaliseType, runId, systemScope } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import type { Job, Queue } from '../queue/index.ts'
import type { AlertStore } from '../storage/index.ts'

function jobOf({ uuid, organization, type, retryCount }: Alert): Job[] {
  if (type === null) return []
  const attempt = retryCount + 1
  return [{ run: runId(uuid, attempt), alert: uuid, organization, type: normaliseType(type), attempt }]
}

/**
 * Hands stored alerts over to the workers through the queue. This is only a hint after the acknowledgement: a
 * failure is logged, and the sweeper finds the alert in the store.
 */
export class HandOver {
  readonly #store: AlertStore
  readonly #queue: Queue
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #underWay = new Set<Promise<void>>()

  constructor(store: AlertStore, queue: Queue, clock: Clock, logger: Logger) {
    this.#store = store
    this.#queue = queue
    this.#clock = clock
    this.#logger = logger
  }

  handOver(alerts: readonly Alert[]): void {
    const jobs = alerts.flatMap(jobOf)
    if (jobs.length === 0) return
    const work = this.#send(jobs).catch((error: unknown) => {
      this.#logger.warn({ error: messageOf(error), alerts: jobs.length }, 'could not hand over alerts; the sweeper will do it')
    })
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }

  /** Resolves when no handover is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async #send(jobs: readonly Job[]): Promise<void> {
    await this.#queue.enqueue(jobs)
    await this.#store.submit(
      systemScope,
      jobs.map(({ alert }) => alert),
      this.#clock.now(),
    )
  }
}
