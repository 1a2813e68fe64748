import type { Logger } from 'pino'
import { type Clock, companyOf, type Millis, runId, sessionDeadAfter, systemScope } from '../../domain/index.ts'
import { isTocsinError, messageOf } from '../../errors/index.ts'
import type { Job, Queue } from '../../queue/index.ts'
import type { PendingAlert, PendingRun, Store } from '../../storage/index.ts'
import { type StoreFailureLog, storeFailures } from '../../telemetry/index.ts'
import { announceDecision, withdrawDecision } from '../decisions/decision-service.ts'
import { StallDetector } from './stall-detector.ts'

const sweepEvery: Millis = 2_000
/** An alert that nobody took for this long is handed over again: the queue may have lost its job. */
const overdue: Millis = 5_000
const limit = 1_000
const pruneEvery: Millis = 60_000
/**
 * How often to withdraw decisions that nobody needs any more. This must read all open ones, and a minute's
 * delay does no harm.
 */
const withdrawEvery: Millis = 60_000

/** How long a duplicate window is kept after it closes. Its alerts may still wait in a full queue. */
const windowKept: Millis = 24 * 60 * 60 * 1_000

/** What one sweep repaired. */
export interface Swept {
  readonly handedOver: number
  /** Failed investigations whose next attempt was due. */
  readonly retried: number
  readonly orphans: number
  /** Alerts and runs that were held by pauses that have ended. */
  readonly released: number
  /** Sleeping runs whose time has come. */
  readonly woken: number
  /** Closed decisions that were not yet recorded in their run and case. */
  readonly told: number
  readonly settled: number
  readonly repaired: number
  readonly buried: number
}

/**
 * Finds and repairs what a crash or a lost queue left behind. Any number of processes may sweep at once:
 * everything it does may be done twice.
 */
export class Sweeper {
  readonly #store: Store
  readonly #queue: Queue
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #failures: StoreFailureLog
  readonly #deathLimit: number
  readonly #stallDetector: StallDetector
  #stop: (() => void)[] = []
  #underWay: Promise<unknown> | null = null
  /** Whether to sweep once more after the sweep that is under way. */
  #again = false
  /**
   * How many due runs the last sweeps handed over. The next sweep continues after them. After the last due
   * run it starts again from the first.
   */
  #dueOffset = 0

  /** @param deathLimit see `Engine` */
  constructor(store: Store, queue: Queue, clock: Clock, logger: Logger, deathLimit: number) {
    this.#deathLimit = deathLimit
    this.#stallDetector = new StallDetector(clock)
    this.#store = store
    this.#queue = queue
    this.#clock = clock
    this.#logger = logger
    this.#failures = storeFailures(logger, clock)
  }

  start(): void {
    this.#stop = [
      this.#clock.every(sweepEvery, () => {
        this.#stallDetector.tick(sweepEvery)
        this.#begin()
      }),
      this.#clock.every(pruneEvery, () => {
        this.#queue.prune().catch((error: unknown) => this.#failures.warn(error, {}, 'could not prune the queue'))
      }),
      this.#clock.every(pruneEvery, () => {
        this.#store.runs
          .forgetWindows(systemScope, this.#clock.now() - windowKept)
          .catch((error: unknown) => this.#failures.warn(error, {}, 'could not forget expired duplicate windows'))
      }),
      this.#clock.every(withdrawEvery, () => {
        this.withdrawLeft().catch((error: unknown) => this.#failures.warn(error, {}, 'could not withdraw decisions that nobody needs'))
      }),
    ]
  }

  /** Withdraws decisions whose run has ended, in case the process that ended it died first. Returns how many. */
  async withdrawLeft(): Promise<number> {
    const left = await this.#store.decisions.left(systemScope, limit)
    for (const decision of left) await withdrawDecision(this.#store, decision, this.#clock.now())
    return left.length
  }

  async stop(): Promise<void> {
    for (const stop of this.#stop.splice(0)) stop()
    this.#again = false
    await this.#underWay
  }

  /**
   * Sweeps now, or once more after the sweep that is under way. Call when there is something to find, such
   * as what an ended pause held. Does nothing before `start` and after `stop`.
   */
  sweepSoon(): void {
    if (this.#stop.length === 0) return
    if (this.#underWay) this.#again = true
    else this.#begin()
  }

  #begin(): void {
    this.#underWay ??= this.sweep(this.#clock.now() - overdue)
      .then(() => this.#failures.answered())
      .catch((error: unknown) => this.#failures.warn(error, {}, 'a sweep failed'))
      .finally(() => {
        this.#underWay = null
        if (!this.#again) return
        this.#again = false
        this.#begin()
      })
  }

  /**
   * Sweeps once.
   * @param before alerts that have waited since an earlier time are handed over again
   */
  async sweep(before: Millis): Promise<Swept> {
    try {
      return await this.#sweep(before)
    } catch (error) {
      if (isTocsinError(error) && error.code === 'store_unavailable') this.#stallDetector.noteStall()
      throw error
    }
  }

  async #sweep(before: Millis): Promise<Swept> {
    const { runs, sessions, alerts } = this.#store
    const now = this.#clock.now()
    await this.#stallDetector.measure(() => runs.orphans(systemScope, 1))
    const buried = this.#stallDetector.trusted ? await sessions.bury(systemScope, sessionDeadAfter) : 0
    const settled = await this.#tryPart('settling runs', () => runs.settle(systemScope, limit))
    const repaired = await this.#tryPart('numbering alerts', () => alerts.repair(systemScope, now - overdue))
    const released = await this.#release(now)
    const free = await runs.orphans(systemScope, limit)
    if (free.length > 0) await this.#queue.enqueueAgain(free.map((run) => this.#jobOfRun(run)))
    const told = await this.#tellDecisions()
    const due = await this.#due(now)
    if (due.length > 0) await this.#queue.enqueueAgain(due.map((run) => this.#jobOfRun(run)))
    const again = await alerts.retryDue(systemScope, now, limit)
    if (again.length > 0) await this.#queue.enqueueAgain(again.map((alert) => this.#jobOf(alert)))
    const waiting = await alerts.pending(systemScope, before, limit)
    // The time must not be earlier than `before`. Then the next sweep with the same bound continues with the
    // other alerts.
    await this.#handOver(waiting, Math.max(now, before))
    const counts = { released, retried: again.length, orphans: free.length, woken: due.length }
    const swept = { handedOver: waiting.length, ...counts, told, settled, repaired, buried }
    if (Object.values(swept).some((count) => count > 0)) this.#logger.info(swept, 'a sweep repaired something')
    return swept
  }

  #jobOf({ uuid, organization, type, retryCount, deaths }: PendingAlert): Job {
    const attempt = retryCount + 1
    const company = companyOf({ inPlace: deaths, total: deaths }, this.#deathLimit)
    return { run: runId(uuid, attempt), alert: uuid, organization, type, attempt, again: true, ...(company !== 'any' && { company }) }
  }

  #jobOfRun({ run, uuid, organization, type, retryCount, deaths }: PendingRun): Job {
    const company = companyOf(deaths, this.#deathLimit)
    return { run, alert: uuid, organization, type, attempt: retryCount + 1, again: true, ...(company !== 'any' && { company }) }
  }

  /**
   * Releases alerts and runs whose pauses have ended. This sweep then finds the runs. The alerts are handed
   * over now, because they may not be overdue yet. Returns how many there were.
   */
  async #release(now: Millis): Promise<number> {
    const { runs, alerts } = this.#store
    const goOn = await runs.release(systemScope, limit)
    const alertsFree = await alerts.release(systemScope, now, limit)
    await this.#handOver(alertsFree, now)
    return goOn + alertsFree.length
  }

  /**
   * @param at recorded as the time of the handover. If the queue loses the jobs, the alerts become overdue
   * again from then
   */
  async #handOver(waiting: readonly PendingAlert[], at: Millis): Promise<void> {
    if (waiting.length === 0) return
    await this.#queue.enqueueAgain(waiting.map((alert) => this.#jobOf(alert)))
    const uuids = waiting.map(({ uuid }) => uuid)
    await this.#store.alerts.submit(systemScope, uuids, at)
  }

  /**
   * Does one part of a sweep. If it fails, logs that and returns 0, so that one broken record does not stop
   * the rest of the sweep.
   */
  async #tryPart(what: string, work: () => Promise<number>): Promise<number> {
    try {
      return await work()
    } catch (error) {
      if (isTocsinError(error) && error.code === 'store_unavailable') throw error
      this.#logger.error({ error: messageOf(error) }, `${what} failed in a sweep`)
      return 0
    }
  }

  /**
   * Announces closed decisions one by one, so that one failure does not hold up the others. Returns how many
   * succeeded.
   */
  async #tellDecisions(): Promise<number> {
    let told = 0
    for (const decision of await this.#store.decisions.untold(systemScope, limit)) {
      try {
        await announceDecision(this.#store, decision)
        told += 1
      } catch (error) {
        if (isTocsinError(error) && error.code === 'store_unavailable') throw error
        this.#logger.error({ decision: decision.id, error: messageOf(error) }, 'could not record a decision in its run and case')
      }
    }
    return told
  }

  /** Returns due runs. Runs of a playbook with low concurrency stay due, and must not hide the others forever. */
  async #due(now: Millis): Promise<readonly PendingRun[]> {
    const further = this.#dueOffset > 0 ? await this.#store.runs.due(systemScope, now, limit, this.#dueOffset) : []
    const due = further.length > 0 ? further : await this.#store.runs.due(systemScope, now, limit)
    const before = further.length > 0 ? this.#dueOffset : 0
    this.#dueOffset = due.length === limit ? before + limit : 0
    return due
  }

  /** Hands over everything that waits. Used at the start of a process that has its own queue. */
  async sweepAll(): Promise<void> {
    const before = this.#clock.now() + 1
    while ((await this.sweep(before)).handedOver === limit);
  }
}
