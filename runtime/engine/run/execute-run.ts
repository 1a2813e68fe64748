import {
  type Alert,
  cancellationIn,
  type Decision,
  type Failure,
  type JournalRecord,
  type Millis,
  type Run,
  systemScope,
  type TimelineEntry,
  TriedWrites,
} from '../../domain/index.ts'
import { readContent } from '../../playbook/index.ts'
import type { Store } from '../../storage/index.ts'
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
import { CancelState } from '../guards/cancel.ts'
import { type Ending, RunJournal } from '../journal/run-journal.ts'
import { Waits } from '../journal/waits.ts'
import type { UndoDocument } from '../undo/document.ts'
import { executeUndo } from '../undo/execute-undo.ts'
import { planOf, readUndo } from '../undo/stored-undo.ts'
import { undoneEntries } from '../undo/undone-entries.ts'
import { settlePoisonRun } from '../write/settle-poison-run.ts'
import { clampWakeTime, sleepOrTimeout } from './clamp-wake-time.ts'
import { type Claimed, createExecution } from './create-execution.ts'
import type { Engine } from './engine.ts'
import { executePlan } from './execute-plan.ts'
import type { Execution } from './execution.ts'

/**
 * Executes a claimed run until it ends, or until it sleeps for a time or for people.
 * @param obstacle why it cannot begin; null if it can
 * @param cancel tells this execution about a cancellation while it runs
 * @param onStored gets the alert as it will be shown, when the end is durable but may not be shown yet. Not every store
 * has such a moment
 * @returns the alert after the end of the run; null if the run sleeps
 * @throws Superseded, GivenUp, or the store's error: then the run has not ended, and the next claim continues
 * it
 */
export async function executeRun(
  engine: Engine,
  claimed: Claimed,
  alert: Alert,
  obstacle: Failure | null,
  signal: AbortSignal,
  cancel: CancelState = new CancelState(),
  onStored?: (ended: Alert) => void,
): Promise<Alert | null> {
  const { run } = claimed
  const { clock, store } = engine
  const records = claimed.journal.flatMap((entry) => entry.records)
  /** Records for the case, including those of steps that this execution does not reach. */
  let told: readonly JournalRecord[] = records
  const before = cancellationIn(records)
  if (before) cancel.note(before)
  const listeners = { cancel, writes: new TriedWrites(records) }
  const { opened = null, endsAhead = false } = claimed
  const journal = new RunJournal(store, run.id, run.epoch, claimed.position, listeners, opened, endsAhead)
  let execution: Execution | null = null
  let outcome: RunOutcome
  let undo: UndoDocument | null = null
  try {
    if (obstacle) throw new RunFailed(obstacle)
    const poison = poisonOf(run, records, engine.deathLimit)
    if (poison) {
      told = [...records, ...(await endPoisoned(engine, claimed, alert, { journal, ...listeners }, poison))]
      throw new RunFailed(poison)
    }
    undo = run.undo && (await readUndo(store, run))
    const plan = undo ? planOf(undo, run) : await engine.playbooks.byDigest(systemScope, run.pins.playbook.digest, run.pins.playbooks)
    const pinned = Object.entries(run.pins.plugins).map(async ([id, digest]) => [id, await engine.plugins.byDigest(digest)] as const)
    execution = createExecution(engine, plan, new Map(await Promise.all(pinned)), claimed, alert.organizationCode, signal, listeners, journal)
    await readContent(alert.content, engine.turns, run.organization)
    outcome = undo ? await executeUndo(execution, alert, undo) : await executePlan(execution, alert)
  } catch (thrown) {
    const error = thrown instanceof Sleeping && execution ? sleepOrTimeout(execution, thrown) : thrown
    if (error instanceof Sleeping && execution) {
      // If it was cancelled after it went to sleep, it is woken so that it can end, paused or not.
      const ends = cancel.cancellation && !error.binding
      await journal.sleep(ends ? clock.now() : clampWakeTime(error, execution), clock.now(), ends ? null : error.pause)
      // It sleeps for a write in doubt. Its other decisions are no longer needed.
      if (cancel.cancellation) await withdrawOpen(execution, ({ kind }) => kind !== 'in_doubt')
      return null
    }
    if (error instanceof Sleeping) {
      await journal.sleep(error.wakeAt, clock.now(), null)
      return null
    }
    // An error that comes from this process stopping says nothing about the run.
    checkAlive(signal)
    outcome = runOutcomeOf(error, run, engine.logger)
  }
  checkAlive(signal)
  // The process that cancelled the run may have died after the journal entry. Complete the cancellation here.
  if (cancel.cancellation && !run.cancelled) await store.runs.cancel(systemScope, run.id, cancel.cancellation)
  const at = clock.now()
  const { writes } = listeners
  const caseLog = execution?.caseLog ?? new CaseLog(run.id)
  // Only people ask for another undo.
  const next = run.undo ? null : outcome.failure && (await nextAttempt(store, engine.retryDelays, run, outcome.failure, writes.sent, at))
  addEarlierWrites(caseLog, told, at)
  const undone = run.undo && undoneEntries(run, undo, caseLog.entries(at), await allOf(store, journal, run), at)
  const entriesOf = (how: RunOutcome, then: NextAttempt | null): readonly TimelineEntry[] =>
    undone ?? endEntries({ run, alert, outcome: how, next: then, caseLog, writes, at })
  let ended: RunOutcome & { readonly retryAt: Millis | null } = { ...outcome, retryAt: null }
  const alertNow = (): Alert => endedAlert(alert, run, { state: ended.state, at })
  const ending = (): Ending => {
    const cancelled = cancel.cancellation && cancelledOutcome(cancel.cancellation)
    ended = { ...(cancelled ?? outcome), retryAt: cancelled ? null : (next?.due ?? null) }
    return { ...ended, at, entries: entriesOf(ended, cancelled ? null : next) }
  }
  await journal.end(ending, onStored && (() => onStored(alertNow())))
  logEnd(engine.logger, run, alert, ended)
  if (execution) await withdrawOpen(execution, () => true)
  return run.undo ? alert : alertNow()
}

/**
 * Ends a poison run: records it in journal and log, and settles its writes in doubt.
 * @returns the records of what is now known about them
 * @throws Sleeping while a write is not settled
 */
async function endPoisoned(
  { store, clock, logger }: Engine,
  { run, journal: entries }: Claimed,
  alert: Alert,
  { journal, cancel, writes }: Pick<Execution, 'journal' | 'cancel' | 'writes'>,
  failure: Failure,
): Promise<readonly JournalRecord[]> {
  const records = entries.flatMap((entry) => entry.records)
  if (!records.some(({ kind }) => kind === 'poisoned')) {
    journal.defer({ kind: 'poisoned', deaths: run.deaths, at: clock.now() })
    const where = { organization: alert.organizationCode, alert: alert.alertId, case: run.caseId, run: run.id, playbook: run.pins.playbook.name }
    logger.error({ ...where, ...run.deaths }, failure.message)
  }
  const record: Execution['record'] = async (change, entry) => void (await store.cases.record(systemScope, run.case, change, entry))
  // Its case exists, because it was claimed before.
  const opened = Promise.resolve()
  return settlePoisonRun({ run, store, clock, journal, cancel, writes, opened, waits: new Waits(entries), record }, records)
}

/** Returns all records of the run's journal, including what this execution has pushed. */
async function allOf(store: Pick<Store, 'journal'>, journal: RunJournal, { id }: Run): Promise<readonly JournalRecord[]> {
  await journal.settled()
  return (await store.journal.read(systemScope, id)).flatMap(({ records }) => records)
}

/** Withdraws open decisions that the run no longer needs. */
async function withdrawOpen({ store, clock, waits }: Execution, which: (decision: Decision) => boolean): Promise<void> {
  for (const id of waits.open) {
    const left = await store.decisions.get(systemScope, id)
    if (left?.state === 'open' && which(left)) await withdrawDecision(store, left, clock.now())
  }
}
