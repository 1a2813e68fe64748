import type { Case, Scope, TimelineBody, TimelineEntry } from '../../../domain/index.ts'
import type { Store, TimelinePosition } from '../../../storage/index.ts'
import { type Cursors, cursorsOf } from '../../request/index.ts'
import { openDecisionsOf } from '../decisions/index.ts'
import { namesOf } from '../shared/index.ts'
import { noRepeats, type TimelineEntryShape, timelineEntryView } from './timeline-view.ts'
import { caseDetailsView } from './view.ts'

/** The part of a timeline that is shown at once. */
export const shown = { limit: 1_000, characters: 2_097_152 } as const

/** Kinds of entries that record writes and decisions. They are read even if they are too old to be shown. */
const telling: readonly TimelineBody['kind'][] = ['action', 'undo', 'decision']
const told = { kinds: telling, limit: 5_000, characters: 2_097_152 } as const

export function timelineCursors({ uuid }: Case): Cursors {
  return cursorsOf('timeline', uuid)
}

export function positionCursor(cursors: Cursors, position: TimelinePosition | null): string | null {
  return position && cursors.encode([position.at, position.order])
}

/** Builds the view of a case with the latest entries of its timeline. */
export async function caseDetails(store: Store, scope: Scope, found: Case) {
  const latest = await store.cases.timeline(scope, found.uuid, { before: null, ...shown })
  const facts = latest.earlier ? await store.cases.timeline(scope, found.uuid, { before: null, ...told }) : latest
  const [timeline, open] = await Promise.all([entryViews(store, scope, latest.entries), openDecisionsOf(store, scope, facts.entries)])
  return caseDetailsView(found, facts.entries, open, timeline, positionCursor(timelineCursors(found), latest.earlier))
}

/** Converts timeline entries for the API. */
export async function entryViews(store: Store, scope: Scope, entries: readonly TimelineEntry[]): Promise<TimelineEntryShape[]> {
  const repeated = entries.flatMap(({ body }) => (body.kind === 'repeated' ? [body.alertUuid] : []))
  const actors = entries.flatMap(({ actor }) => ('principal' in actor ? [actor.principal] : []))
  const [counts, names] = await Promise.all([
    Promise.all(repeated.map(async (uuid) => [uuid, await store.alerts.repeats(scope, uuid)] as const)),
    namesOf(store, actors),
  ])
  const repeats = new Map(counts)
  return entries.flatMap((entry) => {
    const counted = entry.body.kind === 'repeated' ? (repeats.get(entry.body.alertUuid) ?? noRepeats) : noRepeats
    // The entry is written before the first duplicate. It has no duplicates if that alert was investigated after all.
    return entry.body.kind === 'repeated' && counted.count === 0 ? [] : [timelineEntryView(entry, names, counted)]
  })
}
