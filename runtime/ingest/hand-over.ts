import type { Logger } from 'pino'
import { type Alert, type AlertUuid, type Clock, type Millis, normaliseType, runId, type SentAlert, systemScope } from '../domain/index.ts'
import type { Job, Queue } from '../queue/index.ts'
import type { AlertStore } from '../storage/index.ts'
import { type StoreFailureLog, storeFailures } from '../telemetry/index.ts'
import type { GivenAlerts } from './given-alerts.ts'

function jobOf({ uuid, organization, type }: SentAlert, attempt: number): Job[] {
  if (type === null) return []
  return [{ run: runId(uuid, attempt), alert: uuid, organization, type: normaliseType(type), attempt }]
}

/** How long a worker may take to claim the run of an alert, before the handover is recorded. Less than the sweeper waits for a claim. */
const patience: Millis = 2_000
/** Handovers within this time are recorded together. */
const together: Millis = 250
/** How many handovers one call of the store records. Other calls of the store come between two such calls. */
const inCall = 500

/** Handovers that are recorded together. */
interface Group {
  readonly since: Millis
  /** When the last of them was made. */
  at: Millis
  readonly alerts: AlertUuid[]
  /** Ends the wait for workers. */
  readonly moment: PromiseWithResolvers<void>
  /** Settles when they are recorded. */
  readonly recorded: Promise<void>
}

/**
 * Hands stored alerts over to the workers through the queue. This is only a hint after the acknowledgement: a
 * failure is logged, and the sweeper finds the alert in the store.
 *
 * Handovers are recorded up to 2 seconds later, many in one write. An alert that a worker of this process claims
 * meanwhile is left out, because its claim records more.
 */
export class HandOver {
  readonly #store: AlertStore
  readonly #queue: Queue
  readonly #clock: Clock
  readonly #failures: StoreFailureLog
  readonly #given: Pick<GivenAlerts, 'seal'> | null
  readonly #underWay = new Set<Promise<void>>()
  /** Alerts that are being handed over. */
  readonly #unclaimed = new Set<AlertUuid>()
  /** The groups that wait for workers. */
  readonly #groups = new Set<Group>()
  /** The group that takes more. */
  #open: Group | null = null
  #settling = 0

  /** @param given seals alerts for processes that take their jobs directly. Null: these processes read them */
  constructor(store: AlertStore, queue: Queue, clock: Clock, logger: Logger, given: Pick<GivenAlerts, 'seal'> | null = null) {
    this.#store = store
    this.#queue = queue
    this.#clock = clock
    this.#failures = storeFailures(logger, clock)
    this.#given = given
  }

  handOver(alerts: readonly Alert[]): void {
    this.#give(
      alerts.flatMap((alert) => jobOf(alert, alert.retryCount + 1)),
      (job) => this.#sealed(job, alerts),
    )
  }

  /** Hands over alerts that the store of this process is storing. It has told that later calls come after that. */
  handOverAhead(alerts: readonly SentAlert[]): void {
    this.#give(alerts.flatMap((alert) => jobOf(alert, 1)))
  }

  #give(jobs: readonly Job[], seal?: (job: Job) => string | undefined): void {
    if (jobs.length === 0) return
    for (const { alert } of jobs) this.#unclaimed.add(alert)
    const queued = this.#queue.enqueue(jobs, seal)
    // It must not keep the alerts: it waits for seconds.
    const work = this.#send(jobs, queued).catch((error: unknown) => {
      this.#failures.warn(error, { alerts: jobs.length }, 'could not hand over alerts; the sweeper will do it')
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
    for (const { moment } of this.#groups) moment.resolve()
    await Promise.all(this.#underWay)
    this.#settling -= 1
  }

  async #send(jobs: readonly Job[], queued: Promise<void>): Promise<void> {
    try {
      await queued
      await this.#join(jobs).recorded
    } finally {
      for (const { alert } of jobs) this.#unclaimed.delete(alert)
    }
  }

  #sealed(job: Job, alerts: readonly Alert[]): string | undefined {
    const alert = alerts.find(({ uuid }) => uuid === job.alert)
    return alert && this.#given?.seal(job, alert)
  }

  #join(jobs: readonly Job[]): Group {
    const now = this.#clock.now()
    const group = this.#open && now - this.#open.since < together ? this.#open : this.#newGroup(now)
    for (const { alert } of jobs) group.alerts.push(alert)
    group.at = Math.max(group.at, now)
    return group
  }

  #newGroup(now: Millis): Group {
    const moment = Promise.withResolvers<void>()
    const group: Group = { since: now, at: now, alerts: [], moment, recorded: moment.promise.then(() => this.#record(group)) }
    const cancel = this.#clock.after(patience, moment.resolve)
    void moment.promise.then(cancel)
    if (this.#settling > 0) moment.resolve()
    this.#groups.add(group)
    this.#open = group
    return group
  }

  async #record(group: Group): Promise<void> {
    this.#groups.delete(group)
    if (this.#open === group) this.#open = null
    const { alerts, at } = group
    for (let from = 0; from < alerts.length; from += inCall) {
      const left = alerts.slice(from, from + inCall).filter((uuid) => this.#unclaimed.has(uuid))
      if (left.length > 0) await this.#store.submit(systemScope, left, at)
    }
  }
}
