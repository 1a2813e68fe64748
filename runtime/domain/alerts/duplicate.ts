import type { CaseAlert, TimelineEntry } from '../cases/case.ts'
import { runId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** Identifies alerts of one organization and type that repeat one another. */
export interface Fingerprint {
  /** Digest of the rendered text, whatever its length. Compared as a whole. */
  readonly digest: string
  /** How long after the first alert a later one counts as its duplicate. Duplicates do not extend the window. */
  readonly within: Millis
}

/**
 * Returns where an alert falls in the first alert's duplicate window. Both times are when the alert was
 * accepted. An alert that a full queue has delayed can be older than the first one, so the window also
 * extends backwards.
 */
export function placeInWindow(first: Millis, mine: Millis, within: Millis): 'inside' | 'before' | 'after' {
  if (Math.abs(mine - first) <= within) return 'inside'
  return mine < first ? 'before' : 'after'
}

/**
 * Returns the timeline entry of the first alert's case about all its duplicates. There is only one; duplicates are
 * counted on read.
 */
export function repeatedEntry(first: CaseAlert, at: Millis): TimelineEntry {
  return { key: `${first.alertUuid}#repeated`, at, actor: { run: runId(first.alertUuid, 1), step: '' }, body: { kind: 'repeated', ...first } }
}

/** The case's text when a retry investigates an alert that was a duplicate. */
export const continuesCase = (alertId: string): string => `Alert ${alertId} continues this case`
