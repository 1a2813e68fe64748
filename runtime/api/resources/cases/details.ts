import {
  type Case,
  type CaseUuid,
  type Decision,
  type RunId,
  type Scope,
  type TimelineBody,
  type TimelineEntry,
  writesInCase,
} from '../../../domain/index.ts'
import { currentPolicies } from '../../../policy/index.ts'
import type { Static } from '../../../schema/index.ts'
import type { Store, TimelinePosition } from '../../../storage/index.ts'
import { type Cursors, cursorsOf } from '../../request/index.ts'
import type { ApiServices } from '../../services.ts'
import { openDecisionsOf, openDecisionView } from '../decisions/index.ts'
import { namesOf } from '../shared/index.ts'
import { attentionView, writesView } from './standing-view.ts'
import { noRepeats, type TimelineEntryShape, timelineEntryView } from './timeline-view.ts'
import { type CaseSchema, caseView, linkView, mergedView, taskView } from './view.ts'

/** The part of a timeline that is shown at once. */
export const shown = { limit: 1_000, characters: 2_097_152 } as const

/** Kinds of entries that record writes and decisions. They are read even if they are too old to be shown. */
const telling: readonly TimelineBody['kind'][] = ['action', 'undo', 'decision']
const told = { kinds: telling, limit: 5_000, characters: 2_097_152 } as const
const everyDecision = { ...told, kinds: ['decision'] } as const
/** How many merged cases are searched for open decisions at once. */
const mergedAtOnce = 20

/** @param kinds the kinds of entries that are listed; absent: all */
export function timelineCursors({ uuid }: Case, kinds?: readonly string[]): Cursors {
  return cursorsOf('timeline', kinds ? [uuid, ...kinds] : uuid)
}

export function positionCursor(cursors: Cursors, position: TimelinePosition | null): string | null {
  return position && cursors.encode([position.at, position.order])
}

/** Makes the views of cases. Their service-level clocks depend on the policies of their organizations. */
export class CaseViews {
  readonly #store: Store
  readonly #clock: ApiServices['clock']
  readonly #policies: ReturnType<typeof currentPolicies>

  constructor({ store, clock }: Pick<ApiServices, 'store' | 'clock'>) {
    this.#store = store
    this.#clock = clock
    this.#policies = currentPolicies(store, clock)
  }

  async case(found: Case): Promise<Static<typeof CaseSchema>> {
    const { serviceLevels } = await this.#policies.get(found.organization)
    return caseView(found, serviceLevels, this.#clock.now())
  }

  /** Returns the view of a case with the latest entries of its timeline. */
  async details(scope: Scope, found: Case) {
    const store = this.#store
    const { tasks, links, merged } = found.desk
    const latest = await store.cases.timeline(scope, found.uuid, { before: null, ...shown })
    const facts = latest.earlier ? await store.cases.timeline(scope, found.uuid, { before: null, ...told }) : latest
    const others = await this.#others(
      scope,
      [...links, ...merged].map(({ uuid }) => uuid),
    )
    const inside = merged.flatMap((link) => {
      const other = others.get(link.uuid)
      return other && isInside(other, found) ? [{ link, other }] : []
    })
    const [view, writes, timeline, open, theirs] = await Promise.all([
      this.case(found),
      writesView(writesInCase(facts.entries), async (run) => (await store.runs.get(scope, run))?.endedAt ?? null),
      entryViews(store, scope, found, latest.entries),
      openDecisionsOf(store, scope, facts.entries),
      this.#openDecisions(
        scope,
        inside.map(({ other }) => other),
      ),
    ])
    return {
      ...view,
      tasks: tasks.map(taskView),
      links: links.map((link) => linkView(link, others.get(link.uuid))),
      merged: inside.map(({ link, other }) => mergedView(link, other, attentionView(other.marks))),
      ...writes,
      open_decisions: [...open, ...theirs].map(openDecisionView),
      timeline: [...timeline],
      timeline_earlier: positionCursor(timelineCursors(found), latest.earlier),
    }
  }

  /** Returns the open decisions of a case, and of all cases that were merged into it. */
  async openDecisions(scope: Scope, found: Case): Promise<readonly Decision[]> {
    const others = await this.#others(
      scope,
      found.desk.merged.map(({ uuid }) => uuid),
    )
    const inside = [...others.values()].filter((other) => isInside(other, found))
    return this.#openDecisions(scope, [found, ...inside])
  }

  async #others(scope: Scope, uuids: readonly CaseUuid[]): Promise<ReadonlyMap<CaseUuid, Case>> {
    const found = await Promise.all(uuids.map((uuid) => this.#store.cases.get(scope, uuid)))
    return new Map(found.flatMap((other) => (other ? [[other.uuid, other]] : [])))
  }

  async #openDecisions(scope: Scope, cases: readonly Case[]): Promise<readonly Decision[]> {
    const open: Decision[] = []
    for (let at = 0; at < cases.length; at += mergedAtOnce) {
      const some = cases.slice(at, at + mergedAtOnce).map(async ({ uuid }) => {
        const { entries } = await this.#store.cases.timeline(scope, uuid, { before: null, ...everyDecision })
        return openDecisionsOf(this.#store, scope, entries)
      })
      open.push(...(await Promise.all(some)).flat())
    }
    return open
  }
}

/** Returns whether a case that another one lists was merged into it. A crash in the middle of a merge can leave one there that was not. */
function isInside({ desk: { into } }: Case, { uuid }: Case): boolean {
  return into?.uuid === uuid
}

/** Converts timeline entries for the API. */
export async function entryViews(store: Store, scope: Scope, found: Case, entries: readonly TimelineEntry[]): Promise<TimelineEntryShape[]> {
  const repeated = entries.flatMap(({ body }) => (body.kind === 'repeated' ? [body.alertUuid] : []))
  const actors = entries.flatMap(({ actor }) => ('principal' in actor ? [actor.principal] : []))
  const [counts, names] = await Promise.all([
    Promise.all(repeated.map(async (uuid) => [uuid, await store.alerts.repeats(scope, uuid)] as const)),
    namesOf(store, actors),
  ])
  const repeats = new Map(counts)
  const undoers = undoersOf(found, entries)
  return entries.flatMap((entry) => {
    const counted = entry.body.kind === 'repeated' ? (repeats.get(entry.body.alertUuid) ?? noRepeats) : noRepeats
    // The entry is written before the first duplicate. It has no duplicates if that alert was investigated after all.
    return entry.body.kind === 'repeated' && counted.count === 0 ? [] : [timelineEntryView(entry, names, counted, undoers)]
  })
}

/** Returns who asked for the undos of a case, by the runs that undo. */
function undoersOf({ marks }: Case, entries: readonly TimelineEntry[]): ReadonlyMap<RunId, string> {
  return new Map([
    ...marks.undos.map(({ undo, by }) => [undo, by] as const),
    ...entries.flatMap(({ body }) => (body.kind === 'undo' ? [[body.asked.undo, body.asked.by] as const] : [])),
  ])
}
