import type { TimelineEntry } from '../cases/case.ts'
import type { PrincipalId, RunId } from '../ids.ts'

import type { Millis } from '../seams.ts'

/** A request to end a run early. */
export interface Cancellation {
  readonly principal: PrincipalId
  /** The principal's name. */
  readonly by: string
  readonly reason: string | null
  readonly at: Millis
}

/** Returns the timeline entry about a cancellation. A case has it once for each run. */
export function cancellationEntry(run: RunId, { principal, by, reason, at }: Cancellation): TimelineEntry {
  return { key: `${run}#cancelled`, at, actor: { principal }, body: { kind: 'cancelled', run, by, text: reason } }
}

/** Says who cancelled a run, and why. */
export function cancellationText({ by, reason }: Cancellation): string {
  return reason === null ? `${by} cancelled it.` : `${by} cancelled it: ${reason}`
}
