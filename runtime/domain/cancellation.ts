import type { TimelineEntry } from './case.ts'
import type { RunId } from './ids.ts'
import type { JournalRecord } from './journal.ts'
import type { Cancellation } from './run.ts'

/** The cancellation that a log has; null: there is none. */
export function cancellationIn(records: readonly JournalRecord[]): Cancellation | null {
  const found = records.find((record) => record.kind === 'cancelled')
  if (!found) return null
  const { principal, by, reason, at } = found
  return { principal, by, reason, at }
}

/** What the case says of it, once. */
export function cancellationEntry(run: RunId, { principal, by, reason, at }: Cancellation): TimelineEntry {
  return { key: `${run}#cancelled`, at, actor: { principal }, body: { kind: 'cancelled', run, by, text: reason } }
}

/** That somebody cancelled a run, as a sentence. */
export function cancellationText({ by, reason }: Cancellation): string {
  return reason === null ? `${by} cancelled it.` : `${by} cancelled it: ${reason}`
}
