import type { Case, CaseChange, TimelineEntry } from './case.ts'

interface Stated {
  readonly entry: TimelineEntry
  readonly change: CaseChange | null
}

/**
 * Withholds what a run sets on a case that a person has closed: its status and its disposition. A run that was under way goes
 * on after its case is closed, for instance because its approval was declined. It must not open the case again. What it finds
 * and writes is added to the timeline as before.
 */
export function heldClosed({ status, desk }: Pick<Case, 'status' | 'desk'>, entry: TimelineEntry, change: CaseChange | null): Stated {
  const { actor, body } = entry
  if (change === null || body.kind !== 'change' || 'principal' in actor) return { entry, change }
  const closed = (desk.into?.status ?? status) === 'closed' && desk.closedByPerson === true
  const { status: wantedStatus, disposition, ...kept } = change
  if (!closed || (wantedStatus === undefined && disposition === undefined)) return { entry, change }
  const withheld = { ...(wantedStatus !== undefined && { status: wantedStatus }), ...(disposition !== undefined && { disposition }) }
  return { entry: { ...entry, body: { ...body, change: kept, withheld } }, change: kept }
}
