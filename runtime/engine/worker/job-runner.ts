import type { Logger } from 'pino'
import {
  type Alert,
  AlertStatus,
  type AlertUnderWay,
  type AlertUuid,
  type ClaimAmong,
  type Company,
  cancellationIn,
  companyOf,
  diedTooOften,
  isUndoRun,
  type Millis,
  type Run,
  type RunId,
  type SessionId,
  suits,
  systemScope,
} from '../../domain/index.ts'
import { isTocsinError, messageOf, TocsinError } from '../../errors/index.ts'
import { readContent } from '../../playbook/index.ts'
import type { Job } from '../../queue/index.ts'
import type { RunClaim } from '../../storage/index.ts'
import { type StoreFailureLog, storeFailures } from '../../telemetry/index.ts'
import { poisonBefore } from '../end/poison.ts'
import { GivenUp, Superseded } from '../failure/signals.ts'
import { CancelState } from '../guards/cancel.ts'
import { PreparationNotes } from '../prepare/preparation-notes.ts'
import type { PreparedRun, RunPreparer } from '../prepare/prepare-run.ts'
import type { Engine } from '../run/engine.ts'
import { executeRun } from '../run/execute-run.ts'
import type { EndWatch } from './end-watch.ts'
import { isCurrent, type KnownAlert, knownAlert, waitsForClaim } from './known-alert.ts'
import { PausedClaims } from './paused-claims.ts'
import { PlaybookConcurrency } from './playbook-concurrency.ts'

/** Returns an alert that this process is storing or has just stored, if it still has it in memory. */
export type RecentAlert = (uuid: AlertUuid) => Alert | AlertUnderWay | undefined

/** Returns a new alert that another process gave with its job. Undefined: it must be read. */
export type GivenAlert = (job: Job) => Alert | undefined

/** The session with which this process claims, and how long it lasts. */
export interface CurrentSession {
  readonly session: SessionId
  /** Aborted when the session is lost, or the process stops. */
  readonly signal: AbortSignal
}

/**
 * For this long after this process has seen that nobody has claimed an alert, nobody else can have ended it. Its job is
 * here, and the sweeper hands it over again only after 5 seconds.
 */
const newFor: Millis = 1_000

/** What a job runner needs from its process. */
export interface JobRunnerDeps {
  readonly watch: EndWatch
  readonly recent: RecentAlert
  /** Absent: no process gives alerts. */
  readonly given?: GivenAlert
  /** Is told when this process claims the run of an alert. */
  readonly claiming: (alert: AlertUuid) => void
  /** Queues a job in this process, for when there is a slot for it. */
  readonly offer: (job: Job) => void
  readonly logger: Logger
}

/** Runs jobs: claims the run of each, and executes it until it ends or sleeps. */
export class JobRunner {
  readonly #engine: Engine
  readonly #preparer: RunPreparer
  readonly #standing: () => CurrentSession
  readonly #watch: EndWatch
  readonly #recent: RecentAlert
  readonly #given: GivenAlert
  readonly #claiming: (alert: AlertUuid) => void
  readonly #offer: (job: Job) => void
  readonly #logger: Logger
  readonly #failures: StoreFailureLog
  /** Runs in work, with the state that tells them of a cancellation. */
  readonly #active = new Map<RunId, CancelState>()
  /** Jobs that must be taken again, with stricter company. */
  readonly #stricter = new Map<RunId, Job>()
  readonly #pauses: PausedClaims
  readonly #concurrency = new PlaybookConcurrency()
  readonly #preparations: PreparationNotes
  #stopped: PromiseWithResolvers<void> | null = null
  /**
   * Runs that this process stopped working on because of a fault, mostly of the store. They are tried again
   * when the store answers, until it has answered a claim. Such a run may belong to this process, because an
   * abandoned claim may have succeeded. Then no other process may claim it.
   */
  readonly #abandoned = new Map<RunId, Job>()

  constructor(
    engine: Engine,
    preparer: RunPreparer,
    standing: () => CurrentSession,
    { watch, recent, given = () => undefined, claiming, offer, logger }: JobRunnerDeps,
  ) {
    this.#engine = engine
    this.#pauses = new PausedClaims(engine.store, engine.clock)
    this.#preparer = preparer
    this.#preparations = new PreparationNotes(engine.store, engine.clock)
    this.#standing = standing
    this.#watch = watch
    this.#recent = recent
    this.#given = given
    this.#claiming = claiming
    this.#offer = offer
    this.#logger = logger
    this.#failures = storeFailures(logger, engine.clock)
  }

  /** Runs in work. */
  get inWork(): readonly RunId[] {
    return [...this.#active.keys()]
  }

  /** Takes no more jobs, not even those that wait here. Resolves when no run is in work. */
  stop(): Promise<void> {
    this.#stopped ??= Promise.withResolvers()
    this.#endIfIdle()
    return this.#stopped.promise
  }

  #endIfIdle(): void {
    if (this.#active.size === 0) this.#stopped?.resolve()
  }

  /** Runs a job. Never rejects. Does nothing after `stop`. */
  async run(taken: Job): Promise<void> {
    // A job that is tried again may find its alert changed.
    const { sealed, ...job } = taken
    if (this.#stopped || this.#active.has(job.run)) return
    const cancel = new CancelState()
    this.#active.set(job.run, cancel)
    try {
      await this.#run(job, cancel, sealed === undefined ? undefined : this.#given(taken))
    } catch (error) {
      if (error instanceof Superseded || error instanceof GivenUp) this.#logger.info({ run: job.run }, error.message)
      else this.#abandon(job, error)
      // An abandoned claim of this process may have succeeded. Then nobody works on the run, and no other
      // process may claim it.
      if (error instanceof Superseded) this.#abandoned.set(job.run, job)
    } finally {
      this.#active.delete(job.run)
      const apart = this.#stricter.get(job.run)
      this.#stricter.delete(job.run)
      if (apart) this.#offer(apart)
      this.#endIfIdle()
    }
  }

  /** Jobs to try again when the store answers. */
  get abandoned(): readonly Job[] {
    return [...this.#abandoned.values()]
  }

  /**
   * Tells the runs in work of cancellations that they have not found themselves because they append nothing.
   * Never rejects.
   */
  async lookForCancellations(): Promise<void> {
    const { store } = this.#engine
    // Also while a process stops that has ended its runs, and closes the store.
    if (this.#active.size === 0) return
    try {
      for (const run of await store.runs.cancelled(systemScope, this.#standing().session)) {
        const cancel = this.#active.get(run)
        if (!cancel || cancel.cancellation) continue
        const found = cancellationIn((await store.journal.read(systemScope, run)).flatMap(({ records }) => records))
        if (found) cancel.note(found)
      }
    } catch (error) {
      this.#failures.warn(error, {}, 'could not look for cancelled runs')
    }
  }

  #abandon(job: Job, error: unknown): void {
    // A temporary fault is not a defect.
    const level = isTocsinError(error) && error.entry.status === 503 ? 'warn' : 'error'
    const fields = { run: job.run, error: error instanceof Error ? error.stack : messageOf(error) }
    this.#failures.log(level, error, fields, 'stopped working on a run because of an error; it will be claimed again')
    this.#abandoned.set(job.run, job)
  }

  async #read(job: Job): Promise<Alert | undefined> {
    const [alert] = await this.#engine.store.alerts.get(systemScope, [job.alert])
    return alert
  }

  /** @param given the new alert, if another process gave it with the job */
  async #run(job: Job, cancel: CancelState, given: Alert | undefined): Promise<void> {
    if (isUndoRun(job.run)) return this.#undo(job, cancel)
    const recent = job.attempt === 1 ? this.#recent(job.alert) : undefined
    const readAt = this.#engine.clock.now()
    if (!job.again) this.#lookAhead(job)
    const found = recent ?? given ?? (await this.#read(job))
    const known = found && knownAlert(found)
    if (!known || !isCurrent(known, job)) return this.#settled(job)
    const begun = known.alert?.status === AlertStatus.inProgress || job.again ? await this.#engine.store.runs.get(systemScope, job.run) : null
    const prepared = begun ? { preparation: this.#preparer.resume(known.sent, begun), by: null, deaths: null } : await this.#prepare(job, known)
    if (!prepared) return
    const { preparation, by, deaths } = prepared
    const isNew = waitsForClaim(known) && !job.again && !job.company && deaths === 0
    const newAt = isNew ? (recent ? known.sent.createdAt : readAt) : null
    const claimAndExecute = (): Promise<void> => this.#claimAndExecute(job, known, newAt, preparation, cancel)
    const { pins, concurrency } = preparation
    if (await this.#pauses.holds(job, pins)) return this.#preparations.done(known.sent, by)
    if (!this.#concurrency.hasRoom(pins.playbook.name, concurrency)) {
      // A cancelled run only ends, so it need not wait for its turn.
      if (await this.#isCancelled(job)) return claimAndExecute()
      await this.#preparations.done(known.sent, by)
    }
    if (!this.#concurrency.enter(pins.playbook.name, concurrency, job)) return
    try {
      await claimAndExecute()
    } finally {
      const next = this.#concurrency.leave(pins.playbook.name, concurrency)
      if (next) this.#offer(next)
    }
  }

  /** Begins to read what the preparation of an alert needs besides the alert. */
  #lookAhead(of: Pick<Alert, 'organization'>): void {
    this.#pauses.lookAhead()
    this.#preparer.lookAhead(of)
  }

  /** Prepares a new run. Null: the alert must be prepared in stricter company. */
  async #prepare(
    job: Job,
    known: KnownAlert,
  ): Promise<{ readonly preparation: PreparedRun; readonly by: SessionId | null; readonly deaths: number } | null> {
    const { sent } = known
    const { deathLimit, turns } = this.#engine
    this.#lookAhead(sent)
    const { deaths: times, by } = await this.#preparations.begin(job, sent, this.#standing().session, this.#among(job))
    const deaths = { inPlace: times, total: times }
    if (this.#needsStricterCompany(job, companyOf(deaths, deathLimit))) return null
    if (diedTooOften(deaths, deathLimit)) return { preparation: this.#preparer.refuse(sent, poisonBefore(times)), by, deaths: times }
    await readContent(sent.content, turns, sent.organization)
    const preparation = await this.#preparer.prepare(known.alert ?? known)
    this.#preparations.succeeded(sent)
    return { preparation, by, deaths: times }
  }

  /** Returns whether a job needs stricter company than it has. If so, it is taken again after this job has ended. */
  #needsStricterCompany(job: Job, company: Company): boolean {
    if (company === 'any' || suits(company, job.company ?? 'any')) return false
    this.#stricter.set(job.run, { ...job, company })
    return true
  }

  /** Executes a run that undoes another. It has its own plan, and is not an attempt of the alert. */
  async #undo(job: Job, cancel: CancelState): Promise<void> {
    const { store, clock } = this.#engine
    const alert = await this.#read(job)
    if (!alert) return this.#settled(job)
    if (await this.#pauses.holds(job, null)) return
    const { session, signal } = this.#standing()
    const claimed = await store.runs.claimUndo(systemScope, { run: job.run, session, at: clock.now(), among: this.#among(job) })
    this.#settled(job)
    if (claimed.kind === 'apart') this.#needsStricterCompany(job, claimed.company)
    if (claimed.kind !== 'claimed') return
    this.#logDeaths(claimed.run)
    await executeRun(this.#engine, claimed, alert, signal, cancel)
  }

  #among({ company }: Job): ClaimAmong {
    return { company: company ?? 'any', deathLimit: this.#engine.deathLimit }
  }

  /** Logs that a process died while it worked on a run, so that operators learn of it before the run ends. */
  #logDeaths({ id, organization, pins, deaths }: Run): void {
    if (deaths.inPlace > 0)
      this.#logger.warn({ run: id, organization, playbook: pins.playbook.name, ...deaths }, 'a process died while it worked on this run')
  }

  /** Call when it is known which session has the run, or that there is nothing to do. */
  #settled({ run }: Job): void {
    this.#abandoned.delete(run)
  }

  async #isCancelled({ run }: Job): Promise<boolean> {
    return Boolean((await this.#engine.store.runs.get(systemScope, run))?.cancelled)
  }

  /** @param newAt when this process saw that nobody had claimed the alert yet. Null: it did not, or this is not the first job for it here */
  async #claimAndExecute(
    job: Job,
    known: KnownAlert,
    newAt: Millis | null,
    { pins, opening, fingerprint }: PreparedRun,
    cancel: CancelState,
  ): Promise<void> {
    const { store, clock } = this.#engine
    const { session, signal } = this.#standing()
    const { run, organization, type, attempt } = job
    // A duplicate ends without a run. Whoever waits for its end must know the alert by then.
    const alert = known.alert ?? (fingerprint ? await known.stored() : null)
    const at = clock.now()
    const age = newAt === null ? newFor : at - newAt
    const isNew = attempt === 1 && age >= 0 && age < newFor
    const claim = { run, alert: job.alert, organization, type, attempt, session, at, pins, opening, fingerprint, mayShowLater: true }
    this.#claiming(job.alert)
    const claimed = await store.runs.claim(systemScope, { ...claim, ...(isNew && trust(alert)), among: this.#among(job) })
    this.#settled(job)
    if (claimed.kind === 'duplicate') this.#watch.notify(job.alert, null)
    if (claimed.kind === 'apart') this.#needsStricterCompany(job, claimed.company)
    if (claimed.kind !== 'claimed') return
    const stored = alert ?? (await known.stored())
    // The store has failed after it has executed both. Whether it has the run must be looked at again.
    if (!stored) throw new TocsinError('store_unavailable', 'The store did not say whether it has the alert.')
    this.#logDeaths(claimed.run)
    if (attempt === 1 && claimed.run.epoch === 1) this.#engine.meter?.started(at - stored.createdAt)
    const ended = await executeRun(this.#engine, claimed, stored, signal, cancel, (soon) => this.#watch.stored(soon))
    if (ended) this.#watch.notify(job.alert, ended)
  }
}

/** Returns why a store need not read the alert for its claim. */
function trust(alert: Alert | null): Pick<RunClaim, 'justStored' | 'underWay'> {
  return alert ? { justStored: { alertId: alert.alertId, organizationCode: alert.organizationCode } } : { underWay: true }
}
