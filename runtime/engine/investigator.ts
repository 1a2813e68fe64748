import type { Logger } from 'pino'
import { type Alert, AlertStatus, type AlertUuid, type RunId, runId, type SessionId, systemScope } from '../domain/index.ts'
import { isTocsinError, messageOf } from '../errors/index.ts'
import type { Job } from '../queue/index.ts'
import { driveRun, type Engine } from './drive.ts'
import type { EndWatch } from './end-watch.ts'
import type { Preparer } from './prepare.ts'
import { GivenUp, Superseded } from './signals.ts'
import { failed } from './walk.ts'

/** An alert that this process has just stored, if it has it at hand. */
export type RecentAlert = (uuid: AlertUuid) => Alert | undefined

/** In whose name this process claims, and until when. */
export interface Standing {
  readonly session: SessionId
  /** Aborted when the session is lost, or the process stops. */
  readonly signal: AbortSignal
}

/** Takes a job to the end of its run, or leaves it to somebody who will. */
export class Investigator {
  readonly #engine: Engine
  readonly #preparer: Preparer
  readonly #standing: () => Standing
  readonly #watch: EndWatch
  readonly #recent: RecentAlert
  readonly #logger: Logger
  readonly #active = new Set<RunId>()
  /** Runs that a fault of the store took from us: to be claimed again when it answers. */
  readonly #abandoned = new Map<RunId, Job>()

  constructor(engine: Engine, preparer: Preparer, standing: () => Standing, watch: EndWatch, recent: RecentAlert, logger: Logger) {
    this.#engine = engine
    this.#preparer = preparer
    this.#standing = standing
    this.#watch = watch
    this.#recent = recent
    this.#logger = logger
  }

  /** Never rejects. */
  async investigate(job: Job): Promise<void> {
    if (this.#active.has(job.run)) return
    this.#active.add(job.run)
    try {
      await this.#run(job)
    } catch (error) {
      if (error instanceof Superseded || error instanceof GivenUp) this.#logger.info({ run: job.run }, error.message)
      else this.#leave(job, error)
    } finally {
      this.#active.delete(job.run)
    }
  }

  /** Jobs to be tried again, now that the store answers. */
  takeAbandoned(): readonly Job[] {
    const jobs = [...this.#abandoned.values()]
    this.#abandoned.clear()
    return jobs
  }

  #leave(job: Job, error: unknown): void {
    const level = isTocsinError(error) && error.code === 'store_unavailable' ? 'warn' : 'error'
    this.#logger[level]({ run: job.run, error: error instanceof Error ? error.stack : messageOf(error) }, 'run left; it will be claimed again')
    this.#abandoned.set(job.run, job)
  }

  async #read(job: Job): Promise<Alert | undefined> {
    const [alert] = await this.#engine.store.alerts.get(systemScope, [job.alert])
    return alert
  }

  async #run(job: Job): Promise<void> {
    const { store } = this.#engine
    const alert = job.attempt === 1 ? (this.#recent(job.alert) ?? (await this.#read(job))) : await this.#read(job)
    if (!alert || alert.type === null || alert.retryCount + 1 !== job.attempt || alert.status >= AlertStatus.completed) return
    const { pins, opening, failure } = await this.#preparer.prepare(alert)
    const { session, signal } = this.#standing()
    const claim = { run: runId(job.alert, job.attempt), alert: job.alert, organization: alert.organization, type: job.type, attempt: job.attempt }
    const claimed = await store.runs.claim(systemScope, { ...claim, session, at: this.#engine.clock.now(), pins, opening })
    if (claimed.kind !== 'claimed') return
    // A later life goes on with what the first one pinned, obstacle or not.
    const obstacle =
      claimed.run.epoch === 1
        ? failure
        : claimed.run.pins.playbook.name === 'none'
          ? failed('playbook_unknown', 'No playbook was found for the type.', null)
          : null
    await driveRun(this.#engine, claimed, alert, obstacle, signal)
    this.#watch.notify(job.alert)
  }
}
