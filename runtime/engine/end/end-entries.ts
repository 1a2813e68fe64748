import {
  type Alert,
  type Effect,
  type JournalRecord,
  type Millis,
  type Run,
  stepOf,
  type TimelineEntry,
  type TriedWrites,
} from '../../domain/index.ts'
import { type WriteEnd, writesOf } from '../undo/run-writes.ts'
import type { CaseLog } from './case-log.ts'
import { type NextAttempt, nextAttemptEntry } from './next-attempt.ts'
import type { RunOutcome } from './run-outcome.ts'

/** The most addresses that a text lists. It always gives the total. */
const mostNamed = 10

/** A run that ends. */
export interface EndedRun {
  readonly run: Run
  readonly alert: Alert
  readonly outcome: RunOutcome
  /** What follows a failure. Null if nobody would expect another attempt. */
  readonly next: NextAttempt | null
  readonly caseLog: CaseLog
  readonly writes: TriedWrites
  readonly at: Millis
}

/** Returns the timeline entries of a run that ended: its calls, its writes in doubt, and why it failed. */
export function endEntries(ended: EndedRun): readonly TimelineEntry[] {
  const { run, caseLog, next, at } = ended
  return [...caseLog.entries(at), ...doubtEntry(ended), ...endEntry(ended), ...(next ? [nextAttemptEntry(run, next, at)] : [])]
}

const effects: Readonly<Record<WriteEnd, Effect>> = { done: 'done', partial: 'done', in_doubt: 'unknown', not_happened: 'refused' }

/**
 * Adds the writes of earlier executions that this execution did not replay because it failed first. They
 * still happened.
 * @param before the journal's records when this execution began
 */
export function addEarlierWrites(caseLog: CaseLog, before: readonly JournalRecord[], at: Millis): void {
  for (const { address, end, sent, code } of writesOf(before)) {
    if (!sent || caseLog.hasWrite(address)) continue
    const what = { outcome: code ?? end, effect: effects[end] }
    caseLog.write(address, at, { skill: sent.skill, connection: sent.connection.instance, target: sent.target, ...what })
  }
}

function endEntry({ run, alert, outcome: { state, failure }, next, at }: EndedRun): readonly TimelineEntry[] {
  const actor = { run: run.id, step: failure?.step ?? '' }
  const { uuid, alertId } = alert
  if (state === 'completed') {
    const text = `Attempt ${run.attempt} for alert ${alertId} completed`
    return run.attempt === 1 ? [] : [{ key: `${run.id}#recovered`, at, actor, body: { kind: 'recovered', alert: uuid, text } }]
  }
  const { code = 'run_stopped', message = 'It was stopped.', remedy = null, step = null } = failure ?? {}
  const told = { run: run.id, alert: uuid, alertId, attempt: run.attempt, message, remedy, step, retryAt: next?.due ?? null }
  const text = step === null ? message : `${step}: ${message}`
  return [{ key: `${run.id}#failure`, at, actor, body: { kind: 'failure', code, text, ended: told } }]
}

/** Returns the entry about writes in doubt, including those that did not stop the playbook. */
function doubtEntry({ run, writes, at }: EndedRun): readonly TimelineEntry[] {
  const steps = [...new Set(writes.sent.flatMap(({ address, outcome }) => (outcome === 'unknown' ? [stepOf(address)] : [])))]
  if (steps.length === 0) return []
  const shown = `${steps.slice(0, mostNamed).join(', ')}${steps.length > mostNamed ? ` and ${steps.length - mostNamed} more` : ''}`
  const text = `Nobody knows whether ${steps.length === 1 ? 'this write' : 'these writes'} happened: ${shown}. Look in the external system.`
  return [{ key: `${run.id}#doubt`, at, actor: { run: run.id, step: '' }, body: { kind: 'doubt', run: run.id, writes: steps.length, text } }]
}
