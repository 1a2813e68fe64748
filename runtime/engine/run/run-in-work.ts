import {
  type Alert,
  cancellationIn,
  type Decision,
  type DecisionId,
  type Failure,
  type JournalRecord,
  type Millis,
  systemScope,
  type TimelineEntry,
  TriedWrites,
} from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import { readContent } from '../../playbook/index.ts'
import type { Plugin } from '../../plugin/index.ts'
import { withdrawDecision } from '../decisions/decision-service.ts'
import { CaseLog } from '../end/case-log.ts'
import { addEarlierWrites, endEntries } from '../end/end-entries.ts'
import { logEnd } from '../end/end-log.ts'
import { endedAlert } from '../end/ended-alert.ts'
import { type NextAttempt, nextAttempt } from '../end/next-attempt.ts'
import { poisonOf } from '../end/poison.ts'
import { cancelledOutcome, type RunOutcome, runOutcomeOf } from '../end/run-outcome.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { RunFailed, Sleeping } from '../failure/signals.ts'
import type { CancelState } from '../guards/cancel.ts'
import { type Ending, type Listeners, RunJournal } from '../journal/run-journal.ts'
import { Waits } from '../journal/waits.ts'
import type { UndoDocument } from '../undo/document.ts'
import { executeUndo } from '../undo/execute-undo.ts'
import { planOf, readUndo } from '../undo/stored-undo.ts'
import { undoneEntries } from '../undo/undone-entries.ts'
import { probeLeftWrite } from '../write/probe-left-write.ts'
import { type LeftSettling, settleLeftWrites } from '../write/settle-left-writes.ts'
import { clampWakeTime, sleepOrTimeout } from './clamp-wake-time.ts'
import { type Claimed, createExecution } from './create-execution.ts'
import type { Engine } from './engine.ts'
import { executePlan } from './execute-plan.ts'
import type { Execution } from './execution.ts'
import type { RunTrace } from './tracer.ts'

/** A claimed run in work. First `execute`, then `end`. */
export class RunInWork {
  readonly #engine: Engine
  readonly #claimed: Claimed
  readonly #alert: Alert
  readonly #signal: AbortSignal
  readonly #listeners: Listeners
  /** Null: nothing is traced. */
  readonly #trace: RunTrace | null
  readonly #journal: RunJournal
  /** Records for the case, including those of steps that this execution does not reach. */
  #told: readonly JournalRecord[]
  /** Null: the run has not begun in this execution. */
  #execution: Execution | null = null
  /** What it undoes, if it is an undo. */
  #undo: UndoDocument | null = null

  /**
   * @param signal aborts when this process stops working on the run
   * @param cancel tells this execution about a cancellation while it runs
   */
  constructor(engine: Engine, claimed: Claimed, alert: Alert, signal: AbortSignal, cancel: CancelState) {
    this.#engine = engine
    this.#claimed = claimed
    this.#alert = alert
    this.#signal = signal
    this.#trace = engine.tracer?.begin(claimed.run, alert) ?? null
    this.#told = claimed.journal.flatMap(({ records }) => records)
    const before = cancellationIn(this.#told)
    if (before) cancel.note(before)
    this.#listeners = { cancel, writes: new TriedWrites(this.#told) }
    const { run, position, opened = null, endsAhead = false } = claimed
    this.#journal = new RunJournal(engine.store, run.id, run.epoch, position, this.#listeners, opened, endsAhead)
  }

  /**
   * Executes the steps, and settles the writes in doubt that it does not come to.
   * @returns how the run ends; null if it sleeps now
   * @throws Superseded, GivenUp, or the store's error
   */
  async execute(): Promise<RunOutcome | null> {
    try {
      const outcome = await this.#executed()
      await this.#settleLeft(outcome)
      return outcome
    } catch (error) {
      if (!(error instanceof Sleeping)) return this.#outcomeOf(error)
      await this.#sleep(error)
      this.#trace?.over({ state: 'waiting', code: null })
      return null
    }
  }

  /** @throws Sleeping, Superseded, GivenUp, or the store's error */
  async #executed(): Promise<RunOutcome> {
    try {
      const { refused } = this.#claimed.run.pins
      if (refused) throw new RunFailed(refused)
      const poison = poisonOf(this.#claimed.run, this.#told, this.#engine.deathLimit)
      if (poison) this.#tellPoison(poison)
      return await this.#executeSteps(await this.#begin())
    } catch (thrown) {
      const error = thrown instanceof Sleeping && this.#execution ? sleepOrTimeout(this.#execution, thrown) : thrown
      if (error instanceof Sleeping) throw error
      return this.#outcomeOf(error)
    }
  }

  #outcomeOf(error: unknown): RunOutcome {
    // An error that comes from this process stopping says nothing about the run.
    checkAlive(this.#signal)
    return runOutcomeOf(error, this.#claimed.run, this.#engine.logger)
  }

  /**
   * Stores the end of the run.
   * @param onStored gets the alert as it will be shown, when the end is durable but may not be shown yet
   * @returns the alert after the end of the run
   * @throws Superseded, GivenUp, or the store's error
   */
  async end(outcome: RunOutcome, onStored?: (ended: Alert) => void): Promise<Alert> {
    checkAlive(this.#signal)
    const { store, clock, logger, meter, retryDelays } = this.#engine
    const { run } = this.#claimed
    const { cancel, writes } = this.#listeners
    // The process that cancelled the run may have died after the journal entry. Complete the cancellation here.
    if (cancel.cancellation && !run.cancelled) await store.runs.cancel(systemScope, run.id, cancel.cancellation)
    const at = clock.now()
    // Only people ask for another undo.
    const next = run.undo ? null : outcome.failure && (await nextAttempt(store, retryDelays, run, outcome.failure, writes.sent, at))
    const entriesOf = await this.#entries(at)
    let ended: RunOutcome & { readonly retryAt: Millis | null } = { ...outcome, retryAt: null }
    const alertNow = (): Alert => endedAlert(this.#alert, run, { state: ended.state, at })
    const ending = (): Ending => {
      const cancelled = cancel.cancellation && cancelledOutcome(cancel.cancellation)
      ended = { ...(cancelled ?? outcome), retryAt: cancelled ? null : (next?.due ?? null) }
      return { ...ended, at, entries: entriesOf(ended, cancelled ? null : next) }
    }
    await this.#journal.end(ending, onStored && (() => onStored(alertNow())))
    logEnd(logger, run, this.#alert, ended)
    const { state, failure } = ended
    meter?.ended({ undo: run.undo !== null, state, code: failure?.code ?? null, lasted: at - run.startedAt })
    this.#trace?.over({ state, code: failure?.code ?? null })
    const { open = [], dropped = [] } = this.#execution?.waits ?? {}
    await this.#withdraw([...open, ...dropped])
    return run.undo ? this.#alert : alertNow()
  }

  /** Call when this process no longer works on the run, whatever happened. */
  leave(): void {
    this.#trace?.over({ state: 'abandoned', code: null })
  }

  /** Creates what the steps share, from what the run pinned. */
  async #begin(): Promise<Execution> {
    const { run } = this.#claimed
    this.#undo = run.undo && (await readUndo(this.#engine.store, run))
    const plan = this.#undo ? planOf(this.#undo, run) : await this.#engine.playbooks.byDigest(systemScope, run.pins.playbook.digest, run.pins)
    const plugins = await this.#pinnedPlugins()
    const { organizationCode } = this.#alert
    const engine = this.#trace ? { ...this.#engine, observer: this.#trace } : this.#engine
    this.#execution = createExecution(engine, plan, plugins, this.#claimed, organizationCode, this.#signal, this.#listeners, this.#journal)
    return this.#execution
  }

  async #pinnedPlugins(): Promise<ReadonlyMap<string, Plugin>> {
    const pinned = Object.entries(this.#claimed.run.pins.plugins)
    return new Map(await Promise.all(pinned.map(async ([id, digest]) => [id, await this.#engine.plugins.byDigest(digest)] as const)))
  }

  async #executeSteps(execution: Execution): Promise<RunOutcome> {
    await readContent(this.#alert.content, this.#engine.turns, execution.run.organization)
    return this.#undo ? executeUndo(execution, this.#alert, this.#undo) : executePlan(execution, this.#alert)
  }

  /** Stores until when the run sleeps. */
  async #sleep(sleeping: Sleeping): Promise<void> {
    const { clock } = this.#engine
    const { cancellation } = this.#listeners.cancel
    const execution = this.#execution
    if (!execution) return this.#journal.sleep(sleeping.wakeAt, clock.now(), null)
    await this.#tellWrites(execution)
    // If it was cancelled after it went to sleep, it is woken so that it can end, paused or not.
    const ends = cancellation && !sleeping.binding
    await this.#journal.sleep(ends ? clock.now() : clampWakeTime(sleeping, execution), clock.now(), ends ? null : sleeping.pause)
    await this.#withdraw(execution.waits.dropped)
    // It sleeps for a write in doubt. Its other decisions are no longer needed.
    if (this.#listeners.cancel.cancellation) await this.#withdraw(execution.waits.open, ({ kind }) => kind !== 'in_doubt')
  }

  /**
   * Tells the case what a run that goes to sleep has written: its end may be days away. An undo tells it at its
   * end, together with what it could not undo.
   */
  async #tellWrites({ run, caseLog, record }: Execution): Promise<void> {
    const written = run.undo ? [] : caseLog.writes()
    if (written.length === 0) return
    // No line comes before its outcome is in the journal.
    await this.#journal.settled()
    const keys = written.map(({ key }) => key)
    const before = new Set((await this.#engine.store.cases.entries(systemScope, run.case, keys)).map(({ key }) => key))
    for (const entry of written) if (!before.has(entry.key)) await record(null, entry)
  }

  /**
   * Records in journal and log that too many processes died while they worked on this run.
   * @throws RunFailed `process_died`
   */
  #tellPoison(poison: Failure): never {
    const { run } = this.#claimed
    const { clock, logger } = this.#engine
    if (!this.#told.some(({ kind }) => kind === 'poisoned')) {
      this.#journal.defer({ kind: 'poisoned', deaths: run.deaths, at: clock.now() })
      const { organizationCode: organization, alertId: alert } = this.#alert
      logger.error({ organization, alert, case: run.caseId, run: run.id, playbook: run.pins.playbook.name, ...run.deaths }, poison.message)
    }
    throw new RunFailed(poison)
  }

  /**
   * Settles the writes in doubt that the run has not come to, and will not, because it ends.
   * @throws Sleeping while one of them is not settled
   */
  async #settleLeft({ failure }: RunOutcome): Promise<void> {
    const listeners = this.#listeners
    if (listeners.writes.unsettled.length === 0) return
    const { run, journal: entries } = this.#claimed
    const { store, clock, caller, plugins } = this.#engine
    const record: Execution['record'] = async (change, entry) => void (await store.cases.record(systemScope, run.case, change, entry))
    // Its case exists, because it was claimed before.
    const opened = Promise.resolve()
    const journal = this.#journal
    const left = this.#execution ?? {
      run,
      store,
      clock,
      journal,
      ...listeners,
      opened,
      waits: new Waits(entries),
      replay: { recorded: null },
      record,
    }
    const playbooks = [run.pins.playbook.name]
    const probing = { run, store, clock, caller, plugins, playbooks, signal: this.#signal }
    const how: LeftSettling =
      failure?.code === ('process_died' satisfies ErrorCode)
        ? // A probe might kill the process again.
          { why: 'Processes kept dying in its run.' }
        : { why: whyLeft(failure), probe: (write) => probeLeftWrite(probing, write) }
    this.#told = [...this.#told, ...(await settleLeftWrites(left, this.#told, how))]
  }

  /** Returns what computes the timeline entries of the end, once it is known how the run ends and what follows. */
  async #entries(at: Millis): Promise<(outcome: RunOutcome, next: NextAttempt | null) => readonly TimelineEntry[]> {
    const { run } = this.#claimed
    const caseLog = this.#execution?.caseLog ?? new CaseLog(run.id)
    addEarlierWrites(caseLog, this.#told, at)
    if (run.undo) {
      const undone = undoneEntries(run, this.#undo, caseLog.entries(at), await this.#journalRecords(), at)
      return () => undone
    }
    const { writes } = this.#listeners
    return (outcome, next) => endEntries({ run, alert: this.#alert, outcome, next, caseLog, writes, at })
  }

  /** Returns all records of the run's journal, including what this execution has pushed. */
  async #journalRecords(): Promise<readonly JournalRecord[]> {
    await this.#journal.settled()
    return (await this.#engine.store.journal.read(systemScope, this.#claimed.run.id)).flatMap(({ records }) => records)
  }

  /** Withdraws decisions that the run no longer needs, if they are open. */
  async #withdraw(decisions: readonly DecisionId[], which: (decision: Decision) => boolean = () => true): Promise<void> {
    const { store, clock } = this.#engine
    for (const id of decisions) {
      const left = await store.decisions.get(systemScope, id)
      if (left?.state === 'open' && which(left)) await withdrawDecision(store, left, clock.now())
    }
  }
}

/** Says why a run does not come to a write in doubt. */
function whyLeft(failure: Failure | null): string {
  return failure ? `Its run does not come to it again: ${failure.code}: ${failure.message}` : 'Its run does not come to it again.'
}
