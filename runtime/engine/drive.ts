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
} from '../domain/index.ts'
import { readContent } from '../playbook/index.ts'
import type { Store } from '../storage/index.ts'
import { stillIn, wakeAt } from './asleep.ts'
import { Cancel } from './cancel.ts'
import { type Claimed, createWalk } from './create-walk.ts'
import { withdraw } from './decision-desk.ts'
import { endEntries, tellEarlierWrites } from './end-entries.ts'
import { logEnd } from './end-log.ts'
import { endedBy, outcomeOf } from './ends.ts'
import type { Engine } from './engine.ts'
import { type NextAttempt, nextAttempt } from './next-attempt.ts'
import { poisonOf } from './poison.ts'
import { RunJournal } from './run-journal.ts'
import { settleLeft } from './settle-left.ts'
import { RunFailed, Sleeping } from './signals.ts'
import { Tally } from './tally.ts'
import type { UndoDocument } from './undo/document.ts'
import { planOf, readUndo } from './undo/stored.ts'
import { undoneEntries } from './undo/undone.ts'
import { walkUndo } from './undo/walk-undo.ts'
import { Waits } from './waits.ts'
import { checkAlive, type Outcome, type Walk } from './walk.ts'
import { walkPlan } from './walk-plan.ts'

/**
 * Takes a claimed run to its end, or to where it waits for a time or for people.
 * @param obstacle why it cannot begin, if so
 * @param cancel tells this life about a cancellation while it runs
 * @throws Superseded, GivenUp, or the store's error: then the run has not ended, and the next claim goes on with it
 */
export async function driveRun(
  engine: Engine,
  claimed: Claimed,
  alert: Alert,
  obstacle: Failure | null,
  signal: AbortSignal,
  cancel: Cancel = new Cancel(),
): Promise<'ended' | 'asleep'> {
  const { run } = claimed
  const { clock, store } = engine
  const records = claimed.journal.flatMap((entry) => entry.records)
  /** Records that the case is told about even if this life does not reach their steps. */
  let told: readonly JournalRecord[] = records
  const before = cancellationIn(records)
  if (before) cancel.hear(before)
  let tally = new Tally(run.id)
  const listeners = { cancel, writes: new TriedWrites(records) }
  const journal = new RunJournal(store, run.id, run.epoch, claimed.position, listeners)
  let walk: Walk | null = null
  let outcome: Outcome
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
    walk = createWalk(engine, plan, new Map(await Promise.all(pinned)), claimed, alert.organizationCode, signal, listeners, journal)
    tally = walk.tally
    await readContent(alert.content, engine.turns, run.organization)
    outcome = undo ? await walkUndo(walk, alert, undo) : await walkPlan(walk, alert)
  } catch (thrown) {
    const error = thrown instanceof Sleeping && walk ? stillIn(walk, thrown) : thrown
    if (error instanceof Sleeping && walk) {
      // Where it was cancelled after it lay down, it is woken to end, paused or not.
      const ends = cancel.standing && !error.binding
      await journal.sleep(ends ? clock.now() : wakeAt(error, walk), clock.now(), ends ? null : error.pause)
      // It sleeps for a write in doubt: what else it asked is needed no more.
      if (cancel.standing) await withdrawOpen(walk, ({ kind }) => kind !== 'in_doubt')
      return 'asleep'
    }
    if (error instanceof Sleeping) {
      await journal.sleep(error.wakeAt, clock.now(), null)
      return 'asleep'
    }
    // What is thrown because this process gives up says nothing of the run.
    checkAlive(signal)
    outcome = outcomeOf(error, run, engine.logger)
  }
  checkAlive(signal)
  // The process that cancelled the run may have died after the journal entry, so complete the rest.
  if (cancel.standing && !run.cancelled) await store.runs.cancel(systemScope, run.id, cancel.standing)
  const at = clock.now()
  const { writes } = listeners
  // Undoing is begun again by people.
  const next = run.undo ? null : outcome.failure && (await nextAttempt(store, engine.retryDelays, run, outcome.failure, writes.sent, at))
  tellEarlierWrites(tally, told, at)
  const undone = run.undo && undoneEntries(run, undo, tally.entries(at), await allOf(store, journal, run), at)
  const entriesOf = (how: Outcome, then: NextAttempt | null): readonly TimelineEntry[] =>
    undone ?? endEntries({ run, alert, outcome: how, next: then, tally, writes, at })
  let ended: Outcome & { readonly retryAt: Millis | null } = { ...outcome, retryAt: null }
  await journal.end(() => {
    const cancelled = cancel.standing && endedBy(cancel.standing)
    ended = { ...(cancelled ?? outcome), retryAt: cancelled ? null : (next?.due ?? null) }
    return { ...ended, at, entries: entriesOf(ended, cancelled ? null : next) }
  })
  logEnd(engine.logger, run, alert, ended)
  if (walk) await withdrawOpen(walk, () => true)
  return 'ended'
}

/**
 * For a run in which processes have died too often: notes that in journal and log, and settles its writes in doubt.
 * @returns the records of what is now known about them
 * @throws Sleeping while a write is not settled
 */
async function endPoisoned(
  { store, clock, logger }: Engine,
  { run, journal: entries }: Claimed,
  alert: Alert,
  { journal, cancel, writes }: Pick<Walk, 'journal' | 'cancel' | 'writes'>,
  failure: Failure,
): Promise<readonly JournalRecord[]> {
  const records = entries.flatMap((entry) => entry.records)
  if (!records.some(({ kind }) => kind === 'poisoned')) {
    journal.ride({ kind: 'poisoned', deaths: run.deaths, at: clock.now() })
    const where = { organization: alert.organizationCode, alert: alert.alertId, case: run.caseId, run: run.id, playbook: run.pins.playbook.name }
    logger.error({ ...where, ...run.deaths }, failure.message)
  }
  const record: Walk['record'] = async (change, entry) => void (await store.cases.record(systemScope, run.case, change, entry))
  return settleLeft({ run, store, clock, journal, cancel, writes, waits: new Waits(entries), record }, records)
}

/** All that the journal of a run has, what this life has pushed included. */
async function allOf(store: Pick<Store, 'journal'>, journal: RunJournal, { id }: Run): Promise<readonly JournalRecord[]> {
  await journal.settled()
  return (await store.journal.read(systemScope, id)).flatMap(({ records }) => records)
}

/** Closes what the run has asked and needs no answer to any more. */
async function withdrawOpen({ store, clock, waits }: Walk, which: (decision: Decision) => boolean): Promise<void> {
  for (const id of waits.open) {
    const left = await store.decisions.get(systemScope, id)
    if (left?.state === 'open' && which(left)) await withdraw(store, left, clock.now())
  }
}
