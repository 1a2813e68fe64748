import type { Logger } from 'pino'
import { type Alert, type AlertUuid, type Clock, type Millis, normaliseType, runId, systemScope } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import type { Job, Queue } from '../queue/index.ts'
import type { AlertStore } from '../storage/index.ts'

function jobOf({ uuid, organization, type, retryCount }: Alert): Job[] {
  if (type === null) return []
  const attempt = retryCount + 1
  return [{ run: runId(uuid, attempt), alert: uuid, organization, type: normaliseType(type), attempt }]
}

/** How long a worker of this process may take to claim the run of an alert, before the handover is recorded. */
const patience: Millis = 250

/**
 * Hands stored alerts over to the workers through the queue. This is only a hint after the acknowledgement: a
 * failure is logged, and the sweeper finds the alert in the store.
 *
 * Handovers are recorded 250 ms later, many in one write. An alert that a worker of this process claims meanwhile is
 * left out, because its claim records more.
 */
export class HandOver {
  readonly #store: AlertStore
  readonly #queue: Queue
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #underWay = new Set<Promise<void>>()
  /** Alerts that are being handed over. */
  readonly #unclaimed = new Set<AlertUuid>()
  /** Ends the wait of the handovers that are not recorded yet. Null: there are none. */
  #moment: PromiseWithResolvers<void> | null = null
  #settling = 0

  constructor(store: AlertStore, queue: Queue, clock: Clock, logger: Logger) {
    this.#store = store
    this.#queue = queue
    this.#clock = clock
    this.#logger = logger
  }

  handOver(alerts: readonly Alert[]): void {
    const jobs = alerts.flatMap(jobOf)
    if (jobs.length === 0) return
    for (const { alert } of jobs) this.#unclaimed.add(alert)
    const work = this.#send(jobs).catch((error: unknown) => {
      this.#logger.warn({ error: messageOf(error), alerts: jobs.length }, 'could not hand over alerts; the sweeper will do it')
    })
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }

  /** Call when a worker of this process claims the run of an alert. */
  claiming(uuid: AlertUuid): void {
    this.#unclaimed.delete(uuid)
  }

  /** Resolves when no handover is under way. They no longer wait for workers. */
  async settled(): Promise<void> {
    this.#settling += 1
    this.#moment?.resolve()
    await Promise.all(this.#underWay)
    this.#settling -= 1
  }

  async #send(jobs: readonly Job[]): Promise<void> {
    try {
      await this.#queue.enqueue(jobs)
      await this.#soon()
      const left = jobs.map(({ alert }) => alert).filter((uuid) => this.#unclaimed.has(uuid))
      if (left.length > 0) await this.#store.submit(systemScope, left, this.#clock.now())
    } finally {
      for (const { alert } of jobs) this.#unclaimed.delete(alert)
    }
  }

  /** Resolves after at most `patience`, together for all that wait. */
  #soon(): Promise<void> {
    if (this.#settling > 0) return Promise.resolve()
    if (this.#moment) return this.#moment.promise
    const moment = Promise.withResolvers<void>()
    this.#moment = moment
    const cancel = this.#clock.after(patience, moment.resolve)
    void moment.promise.then(() => {
      cancel()
      this.#moment = null
    })
    return moment.promise
  }
}
