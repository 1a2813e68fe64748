import type { RunId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { TimelineBody, TimelineEntry } from './case.ts'

/** What is known now about a write that a run of the case made. */
type WriteState = 'stands' | 'undone' | 'in_doubt'

/** A write of a run of the case that happened or may have happened. */
export interface CaseWrite {
  readonly run: RunId
  /** Address of its step in the run. */
  readonly step: string
  readonly at: Millis
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly connection: string
  readonly target: string | null
  /** `done`, or the code of its failure. A failed write may still have changed something. */
  readonly outcome: string
  readonly state: WriteState
  /** The latest undo that tried to take it back: the run, and the name of the person who asked for it. */
  readonly undo: { readonly run: RunId; readonly by: string | null; readonly at: Millis } | null
}

type Action = Extract<TimelineBody, { kind: 'action' }>
type Acted = Omit<TimelineEntry, 'body'> & { readonly body: Action; readonly run: RunId; readonly step: string }

/** Returns what the runs of a case wrote, in timeline order, and whether each write is still in effect. */
export function writesInCase(timeline: readonly TimelineEntry[]): readonly CaseWrite[] {
  const acted = timeline.flatMap(({ body, actor, ...entry }): Acted[] =>
    body.kind === 'action' && 'run' in actor ? [{ ...entry, actor, body, run: actor.run, step: actor.step }] : [],
  )
  const askedBy = new Map(timeline.flatMap(({ body }) => (body.kind === 'undo' ? [[body.asked.undo, body.asked.by] as const] : [])))
  /** The last undo of a write wins. */
  const undoing = new Map(acted.flatMap((one) => (one.body.undoes ? [[`${one.body.undoes.run}#${one.body.undoes.address}`, one] as const] : [])))
  return acted.flatMap(({ run, step, at, body }): CaseWrite[] => {
    const { effect } = body
    if (body.undoes || (effect !== 'done' && effect !== 'unknown')) return []
    const undo = undoing.get(`${run}#${step}`)
    const undone = undo?.body.effect
    const { skill, connection, target, outcome } = body
    const state =
      undone === 'done' && undo?.body.outcome === 'done'
        ? 'undone'
        : undone === 'done' || undone === 'unknown' || effect === 'unknown'
          ? 'in_doubt'
          : 'stands'
    const by = undo ? { run: undo.run, by: askedBy.get(undo.run) ?? null, at: undo.at } : null
    return [{ run, step, at, skill, connection, target, outcome, state, undo: by }]
  })
}
