import {
  type Alert,
  type Clock,
  cancellationIn,
  type Failure,
  type JournalEntry,
  type Millis,
  type Run,
  systemScope,
  TriedWrites,
} from '../../domain/index.ts'
import { isTocsinError, messageOf } from '../../errors/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { type PlaybookLibrary, readContent } from '../../playbook/index.ts'
import type { PluginLibrary } from '../../plugin/index.ts'
import type { Store } from '../../storage/index.ts'
import { createLogger } from '../../telemetry/index.ts'
import { runOutcomeOf } from '../end/run-outcome.ts'
import { GivenUp, Sleeping } from '../failure/signals.ts'
import { CancelState } from '../guards/cancel.ts'
import type { RunLog } from '../journal/run-journal.ts'
import { executeUndo } from '../undo/execute-undo.ts'
import { planOf, readUndo } from '../undo/stored-undo.ts'
import { createExecution } from './create-execution.ts'
import type { Engine } from './engine.ts'
import { executePlan } from './execute-plan.ts'
import type { RunObserver } from './observer.ts'

/** What a retrace needs. */
export interface RetraceDeps {
  readonly store: Pick<Store, 'journal'>
  readonly playbooks: Pick<PlaybookLibrary, 'byDigest'>
  readonly plugins: Pick<PluginLibrary, 'byDigest'>
  readonly turns: Turns
}

/** How far a run could be retraced through its journal. */
export type Retraced =
  /** The whole run was replayed. `failure`: how the retrace failed; null: it did not. */
  | { readonly kind: 'ended'; readonly failure: Failure | null }
  /** Replayed to the end of the journal. There the run waits, is under way, or was ended from outside. */
  | { readonly kind: 'open' }
  /** Replayed to the point where its outputs together became too large to read. */
  | { readonly kind: 'too_large' }
  /** Not replayed: processes died while they worked on the run, and retracing it might kill this one too. */
  | { readonly kind: 'deadly' }
  /** Not replayed: its playbook or one of its plugins is gone or no longer fits. `why` says so in words. */
  | { readonly kind: 'cannot'; readonly why: string }

/**
 * Replays a run over its journal to show what its steps saw. All decisions and answers come from the journal.
 * The replay ends where the journal ends. It calls, writes and waits for nothing, and its clock stands still.
 * @param noted the steps that wrote into the case (`caseSteps`)
 * @param signal aborts the replay
 * @throws the store's error; the signal's reason
 */
export async function retraceRun(
  deps: RetraceDeps,
  run: Run,
  alert: Alert,
  journal: readonly JournalEntry[],
  noted: readonly string[],
  observer: RunObserver,
  signal: AbortSignal,
): Promise<Retraced> {
  const { refused } = run.pins
  if (refused) return { kind: 'ended', failure: refused }
  const records = journal.flatMap((entry) => entry.records)
  const suspected = run.state === 'running' && run.deaths.inPlace > 0
  if (suspected || records.some(({ kind }) => kind === 'poisoned')) return { kind: 'deadly' }
  const cancel = new CancelState()
  const cancelled = cancellationIn(records)
  // A run that was cancelled while it waited for people had come as far as its question.
  const waited = records.findLast((record) => 'address' in record)?.kind === 'asked'
  if (cancelled && !waited) cancel.note(cancelled)
  // The alert as it was when the attempt began.
  const seen: Alert = { ...alert, retryCount: run.attempt - 1 }
  try {
    const undo = run.undo && (await readUndo(deps.store, run))
    const plan = undo ? planOf(undo, run) : await deps.playbooks.byDigest(systemScope, run.pins.playbook.digest, run.pins)
    const plugins = await Promise.all(
      Object.entries(run.pins.plugins).map(async ([id, digest]) => [id, await deps.plugins.byDigest(digest)] as const),
    )
    const claimed = { run, journal, heldSince: null, noted }
    const listeners = { cancel, writes: new TriedWrites(records) }
    const outputs = new BoundedOutputs(deps.store)
    const execution = createExecution(
      readOnlyEngine(deps, outputs, run.startedAt, observer),
      plan,
      new Map(plugins),
      claimed,
      alert.organizationCode,
      signal,
      listeners,
      endOfLog(listeners.writes),
    )
    await readContent(seen.content, deps.turns, run.organization)
    const outcome = await (undo ? executeUndo(execution, seen, undo) : executePlan(execution, seen)).catch((error: unknown) => {
      if (signal.aborted) throw signal.reason
      if (error instanceof Sleeping || error instanceof GivenUp) return null
      return runOutcomeOf(error, run, silent)
    })
    if (outputs.exceeded) return { kind: 'too_large' }
    return outcome ? { kind: 'ended', failure: outcome.failure } : { kind: 'open' }
  } catch (error) {
    if (isTocsinError(error) && error.entry.status < 500) return { kind: 'cannot', why: error.message }
    if (isTocsinError(error) && error.code === 'internal') return { kind: 'cannot', why: messageOf(error) }
    throw error
  }
}

const silent = createLogger({ level: 'silent' })

/**
 * The end of the journal. It acts like a run that waits for a person, so parallel branches go on to the end of
 * their own records.
 */
function endOfJournal(): never {
  throw new Sleeping(null)
}

/**
 * The replay ends at the first append. A record that is not appended at once does not end it: it may have been
 * lost when its process died.
 */
function endOfLog(writes: TriedWrites): RunLog {
  return {
    defer: (record) => writes.note(record),
    push: endOfJournal,
    append: async () => endOfJournal(),
    settled: async () => {},
    gather: () => () => undefined,
  }
}

/** Most characters of stored outputs that one retrace reads. */
const mostRead = 256 * 1024 * 1024

/** The stored outputs of a run, up to `mostRead`. */
class BoundedOutputs {
  readonly #journal: Pick<Store['journal'], 'getOutput'>
  #read = 0

  constructor({ journal }: RetraceDeps['store']) {
    this.#journal = journal
  }

  get exceeded(): boolean {
    return this.#read > mostRead
  }

  readonly getOutput: Store['journal']['getOutput'] = async (scope, run, name) => {
    if (this.exceeded) endOfJournal()
    const json = await this.#journal.getOutput(scope, run, name)
    this.#read += json?.length ?? 0
    return json
  }
}

/** Returns an engine that can only read the outputs of the run. */
function readOnlyEngine({ playbooks, plugins, turns }: RetraceDeps, { getOutput }: BoundedOutputs, at: Millis, observer: RunObserver): Engine {
  const stopped: Clock = { now: () => at, sleep: async () => endOfJournal(), after: endOfJournal, every: endOfJournal }
  const none = new Proxy({}, { get: () => async () => endOfJournal() })
  // Steps wrote their timeline entries when they ran, so `record` does nothing.
  const some: Readonly<Record<string | symbol, unknown>> = { journal: { getOutput }, cases: { record: async () => null } }
  return {
    store: new Proxy({}, { get: (_, name) => some[name] ?? none }) as Store,
    playbooks: playbooks as PlaybookLibrary,
    plugins: plugins as PluginLibrary,
    caller: { call: async () => endOfJournal() },
    scripts: { run: async () => endOfJournal() },
    policies: { get: async () => endOfJournal(), set: async () => endOfJournal() },
    clock: stopped,
    logger: silent,
    observer,
    turns,
    retryDelays: [],
    deathLimit: 1,
  }
}
