import type { Logger } from 'pino'
import {
  type Alert,
  type Cancellation,
  type Clock,
  cancellationIn,
  cancellationText,
  type Decision,
  type Failure,
  type Json,
  type Millis,
  type Run,
  systemScope,
  TriedWrites,
} from '../domain/index.ts'
import { isTocsinError, messageOf } from '../errors/index.ts'
import { type Plan, type PlaybookLibrary, readInputs } from '../playbook/index.ts'
import type { Plugin, PluginLibrary, Scripts } from '../plugin/index.ts'
import type { StandingPolicies } from '../policy/index.ts'
import type { ClaimResult, Store } from '../storage/index.ts'
import { runBody } from './body.ts'
import { Budget } from './budget.ts'
import type { SkillCaller } from './caller.ts'
import { Cancel } from './cancel.ts'
import { withdraw } from './decision-desk.ts'
import { explain } from './explain.ts'
import { bodyFrame, type Frame } from './frame.ts'
import { renderAtEnd } from './left-out.ts'
import { limited } from './limits.ts'
import { nextAttempt, nextAttemptEntry } from './next-attempt.ts'
import type { RunObserver } from './observer.ts'
import { checkSize } from './output-size.ts'
import { Recorded } from './recorded.ts'
import { runRoots } from './roots.ts'
import { type Ending, type Listeners, RunJournal } from './run-journal.ts'
import { GivenUp, RunFailed, Sleeping, StepFailed, Superseded } from './signals.ts'
import { Tally } from './tally.ts'
import { planOf, readUndo } from './undo/stored.ts'
import { walkUndo } from './undo/walk-undo.ts'
import { Variables } from './variables.ts'
import { Waits } from './waits.ts'
import { checkAlive, failed, type Outcome, type Walk } from './walk.ts'

/** What a run needs of its process. */
export interface Engine {
  readonly store: Store
  readonly playbooks: PlaybookLibrary
  readonly plugins: PluginLibrary
  readonly caller: SkillCaller
  readonly scripts: Scripts
  /** Of organizations, as they stand. */
  readonly policies: StandingPolicies
  readonly clock: Clock
  readonly logger: Logger
  readonly observer?: RunObserver
  /** After a fault of the infrastructure: how long before the first attempt that follows by itself, the second and so on. None: none follows. */
  readonly retryDelays: readonly Millis[]
}

type Claimed = Extract<ClaimResult, { kind: 'claimed' }>

function createWalk(
  engine: Engine,
  plan: Plan,
  plugins: ReadonlyMap<string, Plugin>,
  { run, position, journal, heldSince }: Claimed,
  signal: AbortSignal,
  listeners: Listeners,
): Walk {
  const { store, caller, scripts, clock, observer } = engine
  const { cancel, writes } = listeners
  const recorded = new Recorded(journal)
  const waits = new Waits(journal)
  if (heldSince !== null) waits.kept(heldSince, clock.now())
  const limit = limited(plan.limits, run.startedAt, { clock, waits, ahead: () => recorded.ahead('') })
  const log = new RunJournal(store, run.id, run.epoch, position, listeners)
  const policy = run.pins.policy ?? null
  const bounds = [
    { whose: '', limits: plan.limits.impact },
    ...(policy ? [{ whose: " of the organization's policy", limits: policy.limits.impact }] : []),
  ]
  const budget = new Budget(bounds, recorded, log, '')
  return {
    run,
    plan,
    playbooks: [run.pins.playbook.name],
    connection: (slot) => run.pins.connections[slot],
    plugins,
    store,
    caller,
    scripts,
    clock,
    signal,
    cancel,
    journal: log,
    recorded,
    writes,
    tally: new Tally(run.id),
    waits,
    approvals: new Map(),
    checkTime: limit.checkTime,
    deadline: limit.deadline,
    observer: observer ?? null,
    async record(change, entry) {
      await store.cases.record(systemScope, run.case, change, entry)
    },
    policy,
    standing: () => engine.policies.get(run.organization),
    afford: (address, spending) => budget.afford(address, spending),
    spend: (address, spending) => budget.spend(address, spending),
    enter(address) {
      checkAlive(signal)
      // What an earlier life did is gone through first: a write that was under way is settled, and all that was done is told.
      if (!recorded.ahead('')) cancel.check()
      limit.enter(address)
    },
  }
}

/** Walks the plan to its end, or to a `stop`. What fails the run, or gives it up, is thrown. */
async function walkPlan(walk: Walk, alert: Alert): Promise<Outcome> {
  const vars = new Variables()
  const view = new Variables({ case_id: walk.run.caseId })
  walk.observer?.began?.({ vars: vars.values, caseView: view.values })
  const roots = runRoots(alert, readInputs(walk.plan, alert.content), walk.plan, walk.run)
  const frame = bodyFrame('', roots, vars, view, () => walk.recorded.ahead(''))
  const stopped = await runBody(walk, frame, walk.plan.steps)
  walk.cancel.check()
  await giveVerdict(walk, frame)
  if (stopped === null) return { state: 'completed', reason: null, failure: null }
  const { outcome, reason, message } = stopped
  return { state: outcome, reason, failure: outcome === 'failed' ? failed('run_stopped', message, null) : null }
}

/**
 * How a run ends for what was thrown in it. What only interrupts it (another life has taken over, the process stops, the store
 * does not answer) is thrown on: then it has not ended.
 */
function outcomeOf(error: unknown, { id }: Run, logger: Logger): Outcome {
  const over = (failure: Failure): Outcome => ({ state: 'failed', reason: null, failure })
  if (error instanceof StepFailed || error instanceof RunFailed) return over(error.failure)
  if (error instanceof Superseded || error instanceof GivenUp) throw error
  if (isTocsinError(error)) {
    if (error.code === 'store_unavailable') throw error
    if (error.entry.status < 500) return over(failed(error.code, explain(error), null))
  }
  // A defect would meet every later life of the run in the same place: better an end that says so than a run without one.
  logger.error({ run: id, error: error instanceof Error ? error.stack : messageOf(error) }, 'investigation failed unexpectedly')
  return over(failed('investigation_failed', messageOf(error), null))
}

async function giveVerdict({ plan, run, clock, record }: Walk, { context, steps }: Frame): Promise<void> {
  const verdict = (plan.verdict && renderAtEnd(plan.verdict, context, steps)) as { readonly summary?: Json } | string | null | undefined
  const summary = typeof verdict === 'object' ? verdict?.summary : verdict
  if (summary === undefined || summary === null) return
  const text = String(summary)
  checkSize({ plan }, text, 'verdict')
  await record(
    { summary: text },
    { key: `${run.id}#verdict`, at: clock.now(), actor: { run: run.id, step: 'verdict' }, body: { kind: 'verdict', text } },
  )
}

/**
 * Takes a claimed run to its end, or to where it waits for a time or for people.
 * @param obstacle why it cannot begin, if so
 * @param cancel tells this life what is heard of a cancellation while it runs
 * @throws Superseded, GivenUp, or the store's error: the run is then not ended, and whoever claims it next goes on
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
  const before = cancellationIn(records)
  if (before) cancel.hear(before)
  let tally = new Tally(run.id)
  const listeners = { cancel, writes: new TriedWrites(records) }
  let journal = new RunJournal(store, run.id, run.epoch, claimed.position, listeners)
  let walk: Walk | null = null
  let outcome: Outcome
  try {
    if (obstacle) throw new RunFailed(obstacle)
    const undo = run.undo && (await readUndo(store, run))
    const plan = undo ? planOf(undo, run) : await engine.playbooks.byDigest(systemScope, run.pins.playbook.digest, run.pins.playbooks)
    const pinned = Object.entries(run.pins.plugins).map(async ([id, digest]) => [id, await engine.plugins.byDigest(digest)] as const)
    walk = createWalk(engine, plan, new Map(await Promise.all(pinned)), claimed, signal, listeners)
    tally = walk.tally
    journal = walk.journal
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
    // What is thrown because this process gives up says nothing of the run.
    checkAlive(signal)
    outcome = outcomeOf(error, run, engine.logger)
  }
  checkAlive(signal)
  // Whoever cancelled it may have died before it was said anywhere else than in the log.
  if (cancel.standing && !run.cancelled) await store.runs.cancel(systemScope, run.id, cancel.standing)
  const at = clock.now()
  // Undoing is begun again by people.
  const next = run.undo ? null : outcome.failure && (await nextAttempt(store, engine.retryDelays, run, outcome.failure, listeners.writes.sent, at))
  const ending = (): Ending => {
    if (cancel.standing) {
      const end = endedBy(cancel.standing)
      return { ...end, retryAt: null, at, entries: tally.entries(at, end.failure) }
    }
    const told = next ? [nextAttemptEntry(run, next, at)] : []
    return { ...outcome, retryAt: next?.due ?? null, at, entries: [...tally.entries(at, outcome.failure), ...told] }
  }
  await journal.end(ending)
  if (walk) await withdrawOpen(walk, () => true)
  return 'ended'
}

/** However else it would have ended: who cancelled it was told that it is cancelled. */
function endedBy(cancellation: Cancellation): Outcome {
  return { state: 'failed', reason: cancellation.reason, failure: failed('run_cancelled', cancellationText(cancellation), null) }
}

/** Closes what the run has asked and needs no answer to any more. */
async function withdrawOpen({ store, clock, waits }: Walk, which: (decision: Decision) => boolean): Promise<void> {
  for (const id of waits.open) {
    const left = await store.decisions.get(systemScope, id)
    if (left?.state === 'open' && which(left)) await withdraw(store, left, clock.now())
  }
}

/** That it sleeps, or that its time is over: it may have been over before, and was not asked while something of earlier lives was to be gone through. */
function stillIn(walk: Walk, sleeping: Sleeping): unknown {
  if (sleeping.binding) return sleeping
  try {
    walk.checkTime(null)
    return sleeping
  } catch (error) {
    return error
  }
}

/** A run that sleeps beyond its time limit is woken to end by it. One that could not end though it is past would only be woken for nothing. */
function wakeAt({ wakeAt: wanted }: Sleeping, walk: Walk): Millis | null {
  const deadline = walk.deadline()
  if (deadline === null || deadline < walk.clock.now()) return wanted
  return Math.min(wanted ?? Number.POSITIVE_INFINITY, deadline + 1)
}
