import type { CaseAlert, TimelineEntry } from '../cases/case.ts'
import { runId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** By what alerts of an organization and type are known to repeat one another. */
export interface Fingerprint {
  /** Digest of the rendered text: of any length, compared as a whole. */
  readonly digest: string
  /** So long after the first an alert of the same fingerprint is its duplicate. The window does not move with the duplicates. */
  readonly within: Millis
}

/**
 * Where an alert stands to the window of a first one, both by when they were accepted. What comes late from a full queue may be the
 * older of the two: the same distance counts backwards.
 */
export function placeInWindow(first: Millis, mine: Millis, within: Millis): 'inside' | 'before' | 'after' {
  if (Math.abs(mine - first) <= within) return 'inside'
  return mine < first ? 'before' : 'after'
}

/** What the case of a first alert says of all its duplicates, once; how many there are is counted when it is read. */
export function repeatedEntry(first: CaseAlert, at: Millis): TimelineEntry {
  return { key: `${first.alertUuid}#repeated`, at, actor: { run: runId(first.alertUuid, 1), step: '' }, body: { kind: 'repeated', ...first } }
}

/** What the case says when the alert, a duplicate until then, is investigated by itself. */
export const continuesCase = (alertId: string): string => `Alert ${alertId} continues this case`
