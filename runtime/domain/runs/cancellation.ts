import type { TimelineEntry } from '../cases/case.ts'
import type { PrincipalId, RunId } from '../ids.ts'

import type { Millis } from '../seams.ts'

/** That somebody wants a run to end before its time. */
export interface Cancellation {
  readonly principal: PrincipalId
  /** The principal's name. */
  readonly by: string
  readonly reason: string | null
  readonly at: Millis
}

/** What the case says of it, once. */
export function cancellationEntry(run: RunId, { principal, by, reason, at }: Cancellation): TimelineEntry {
  return { key: `${run}#cancelled`, at, actor: { principal }, body: { kind: 'cancelled', run, by, text: reason } }
}

/** That somebody cancelled a run, as a sentence. */
export function cancellationText({ by, reason }: Cancellation): string {
  return reason === null ? `${by} cancelled it.` : `${by} cancelled it: ${reason}`
}
