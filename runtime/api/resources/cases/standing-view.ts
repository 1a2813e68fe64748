import {
  type CaseMarks,
  type CaseUndo,
  type CaseWrite,
  doubtSentence,
  failedSentence,
  type Millis,
  type RunId,
  supersededBy,
  undoSentence,
} from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import { undoStates } from './timeline-view.ts'

const UndoSchema = Type.Object({
  run_id: Type.String({ description: 'The run that is undone.' }),
  undo_run_id: Type.String({ description: 'The run that undoes it.' }),
  by: Type.String({ description: "The principal's name." }),
  principal_uuid: Uuid,
  reason: nullable(Type.String()),
  at: Time,
  ended_at: nullable(Time),
  state: oneOf(undoStates, 'undone: all writes were undone; partly: some were; nothing: none was; in_doubt: of some writes nobody knows.'),
  undone: Type.Integer({ description: 'How many writes are undone.' }),
  standing: Type.Integer({ description: 'How many writes are not undone.' }),
  in_doubt: Type.Integer({ description: 'How many writes are in doubt.' }),
  text: Type.String({ description: 'A summary in one sentence, without the reason.' }),
})

const AttentionSchema = Type.Object({
  kind: oneOf(['run_failed', 'in_doubt', 'undo'], 'run_failed: also for a cancelled run.'),
  at: Time,
  text: Type.String({ description: 'The reason, in one sentence.' }),
  run_id: Type.String({ description: 'The run that failed, that has writes in doubt, or that is undone.' }),
  alert_id: Type.Optional(Type.String({ description: 'For a failed run.' })),
  attempt: Type.Optional(Type.Integer({ description: 'For a failed run.' })),
  code: Type.Optional(Type.String({ description: 'For a failed run.' })),
  step: Type.Optional(nullable(Type.String({ description: 'For a failed run: the address of the step that failed.' }))),
  remedy: Type.Optional(nullable(Type.String({ description: 'For a failed run: what to do about it.' }))),
  retry_at: Type.Optional(nullable(Type.Integer({ description: 'For a failed run: when it is retried automatically, in epoch milliseconds.' }))),
  undo: Type.Optional(UndoSchema),
})

const WriteSchema = Type.Object({
  run_id: Type.String(),
  run_ended_at: nullable(Type.Integer({ description: 'In epoch milliseconds. Null: its run has not ended, so nobody can undo it yet.' })),
  step: Type.String({ description: 'Address.' }),
  at: Time,
  skill: Type.String({ description: '<integration>.<skill>' }),
  connection: Type.String({ description: 'The instance.' }),
  target: nullable(Type.String()),
  outcome: Type.String({ description: 'done, or the code of its failure. Even a failed write changed something, or may have.' }),
  state: oneOf(['stands', 'undone', 'in_doubt'], 'stands: still in effect; in_doubt: nobody knows whether it happened, or whether it was undone.'),
  undo: Type.Union([Type.Null(), Type.Object({ run_id: Type.String(), by: nullable(Type.String()), at: Time })], {
    description: 'The latest undo that tried to undo it.',
  }),
})

/** Facts about a case that its status and verdict do not show. */
export const standingFields = {
  attention: Type.Array(AttentionSchema, {
    description:
      'Why a person must look at the case, whatever its status; a later attempt or playbook that settles it empties the list, and so does anybody who sets the status.',
  }),
  superseded: Type.Union([Type.Null(), UndoSchema], {
    description: 'The undo after which the verdict (`summary`) may no longer be true. Null: no undo came after the verdict.',
  }),
}

/** The most writes that a case shows. The timeline has all of them. */
const mostWrites = 200

export const writesFields = {
  writes: Type.Array(WriteSchema, {
    description: `What its runs changed in external systems, and whether that is still in effect. The last ${mostWrites} writes.`,
  }),
  more_writes: Type.Integer({ description: 'How many more writes there are. The timeline has them.' }),
}

function undoView(undo: CaseUndo): Static<typeof UndoSchema> {
  const { undoes, by, principal, reason, at, endedAt, state, undone, standing, inDoubt } = undo
  return {
    run_id: undoes,
    undo_run_id: undo.undo,
    by,
    principal_uuid: principal,
    reason,
    at,
    ended_at: endedAt,
    state,
    undone,
    standing,
    in_doubt: inDoubt,
    text: undoSentence(undo),
  }
}

/** Returns why a case needs attention, as the API shows it: failed runs, writes in doubt, and undos. */
export function attentionView({ failures, doubts, undos }: CaseMarks): Static<typeof AttentionSchema>[] {
  const all: Static<typeof AttentionSchema>[] = [
    ...failures.map((failure) => {
      const { run, alertId, attempt, code, step, remedy, retryAt, at } = failure
      const text = failedSentence(failure)
      return { kind: 'run_failed' as const, at, text, run_id: run, alert_id: alertId, attempt, code, step, remedy, retry_at: retryAt }
    }),
    ...doubts.map((doubt) => ({ kind: 'in_doubt' as const, at: doubt.at, text: doubtSentence(doubt), run_id: doubt.run })),
    ...undos.flatMap((undo) => {
      const { newerThanStatus, undoes, at, endedAt } = undo
      return newerThanStatus ? [{ kind: 'undo' as const, at: endedAt ?? at, text: undoSentence(undo), run_id: undoes, undo: undoView(undo) }] : []
    }),
  ]
  return all.sort((one, other) => one.at - other.at)
}

/** Returns the undo that makes the verdict of a case outdated, as the API shows it. Null: none does. */
export function supersededView(marks: CaseMarks): Static<typeof UndoSchema> | null {
  const undo = supersededBy(marks)
  return undo && undoView(undo)
}

/** @param endOf reads when a run has ended; null: it has not */
export async function writesView(writes: readonly CaseWrite[], endOf: (run: RunId) => Promise<Millis | null>) {
  const shown = writes.slice(-mostWrites)
  const runs = new Set(shown.map(({ run }) => run))
  const ends = new Map(await Promise.all([...runs].map(async (run) => [run, await endOf(run)] as const)))
  return {
    writes: shown.map(({ run, step, at, skill, connection, target, outcome, state, undo }) => ({
      ...{ run_id: run, run_ended_at: ends.get(run) ?? null, step, at, skill, connection, target, outcome, state },
      undo: undo && { run_id: undo.run, by: undo.by, at: undo.at },
    })),
    more_writes: Math.max(0, writes.length - mostWrites),
  }
}
