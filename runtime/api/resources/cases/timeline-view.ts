import { caseStatuses, decisionStates, mergeActs, type RunId, type TimelineBody, type TimelineEntry, taskActs } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Repeats } from '../../../storage/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import type { Names } from '../shared/index.ts'

export const noRepeats: Repeats = { count: 0, latest: null }

export const timelineKinds = [
  'opened',
  'note',
  'finding',
  'lookups',
  'action',
  'protected',
  'change',
  'verdict',
  'failure',
  'doubt',
  'recovered',
  'comment',
  'joined',
  'retry',
  'repeated',
  'cancelled',
  'undo',
  'undone',
  'decision',
  'tags',
  'task',
  'link',
  'merge',
] as const

export const undoStates = ['under_way', 'nothing', 'partly', 'undone', 'in_doubt'] as const

export const TimelineEntrySchema = Type.Object(
  {
    id: Type.String({ description: 'Unique within the case.' }),
    at: Time,
    kind: oneOf(timelineKinds),
    actor: Type.Object({
      principal_uuid: Type.Optional(Uuid),
      name: Type.Optional(Type.String({ description: "The principal's name. For a run that undoes: of the person who requested it." })),
      run: Type.Optional(Type.String()),
      step: Type.Optional(Type.String({ description: 'Address of the step in the run.' })),
    }),
    text: Type.Optional(
      nullable(
        Type.String({
          description:
            'The text of most kinds. For protected: why the target is protected. For a decision or a cancellation: the reason that was given.',
        }),
      ),
    ),
    title: Type.Optional(Type.String({ description: 'For a finding or a decision.' })),
    risk: Type.Optional(Type.String({ description: 'For a finding.' })),
    evidence: Type.Optional(Type.Unknown({ description: 'For a finding: any JSON.' })),
    calls: Type.Optional(
      Type.Array(Type.Object({ skill: Type.String(), connection: Type.String(), times: Type.Integer(), failed: Type.Integer() }), {
        description: 'For lookups: what the run asked external systems.',
      }),
    ),
    skill: Type.Optional(Type.String({ description: 'For an action: the skill. For protected: the skill that was not called.' })),
    connection: Type.Optional(Type.String({ description: 'For an action and for protected: the instance name of the connection.' })),
    outcome: Type.Optional(Type.String({ description: 'For an action: done, or the code of its failure.' })),
    target: Type.Optional(nullable(Type.String({ description: 'For an action: its target. For protected: the target that was left alone.' }))),
    code: Type.Optional(Type.String({ description: 'For a failure.' })),
    remedy: Type.Optional(nullable(Type.String({ description: 'For the failure that ended a run: what to do about it.' }))),
    status: Type.Optional(oneOf(caseStatuses, 'For failure, doubt, retry, undo and undone: the new status of the case, if the entry changed it.')),
    undoes: Type.Optional(Type.String({ description: 'For undo, undone and an action of an undo: the run that is undone.' })),
    undoes_step: Type.Optional(Type.String({ description: 'For an action of an undo: the address of the write in that run.' })),
    undo_state: Type.Optional(oneOf(undoStates, 'For undone: the result of the undo.')),
    undone: Type.Optional(Type.Integer({ description: 'For undone: how many writes are undone, including those of earlier undos.' })),
    standing: Type.Optional(Type.Integer({ description: 'For undone: how many writes are not undone.' })),
    in_doubt: Type.Optional(Type.Integer({ description: 'For undone: how many writes are in doubt.' })),
    reason: Type.Optional(nullable(Type.String({ description: 'For undo and undone: the reason.' }))),
    decision: Type.Optional(Type.String({ description: 'For a decision: its id.' })),
    state: Type.Optional(oneOf(decisionStates, 'For a decision: `open` when it was asked, else how it was closed.')),
    by: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Names of people. For a decision: who answered. For a cancellation, undo and undone: who requested it.',
      }),
    ),
    due: Type.Optional(
      nullable(Type.Integer({ description: 'For a retry: when it is due, in epoch milliseconds. Null: there is no automatic retry.' })),
    ),
    cancelled_run: Type.Optional(Type.String({ description: 'For a cancellation: the run.' })),
    alert_id: Type.Optional(Type.String({ description: 'For repeated: the first alert.' })),
    duplicates: Type.Optional(Type.Integer({ description: 'For repeated: how many duplicates there are so far.' })),
    latest_at: Type.Optional(Type.Integer({ description: 'For repeated: when the latest duplicate was created, in epoch milliseconds.' })),
    change: Type.Optional(Type.Unknown({ description: 'For a change: the fields with their new values.' })),
    before: Type.Optional(Type.Unknown({ description: 'For a change: the values that these fields had.' })),
    withheld: Type.Optional(
      Type.Unknown({ description: 'For a change: the status and disposition that a run did not set, because a person had closed the case.' }),
    ),
    mentions: Type.Optional(
      Type.Array(Type.Object({ principal_uuid: Uuid, name: Type.String() }), { description: 'For a comment: whom it mentions.' }),
    ),
    added: Type.Optional(Type.Array(Type.String(), { description: 'For tags.' })),
    removed: Type.Optional(Type.Array(Type.String(), { description: 'For tags.' })),
    task: Type.Optional(Type.String({ description: 'For a task: its id. `text` is its text.' })),
    assignee: Type.Optional(nullable(Type.String({ description: 'For a task.' }))),
    act: Type.Optional(
      oneOf(
        [...taskActs, ...mergeActs],
        'For a task, a link or a merge: what was done. into: this case was merged into the other; absorbed: the other into this.',
      ),
    ),
    other_case: Type.Optional(Type.Object({ case_id: Type.String(), case_uuid: Uuid }, { description: 'For a link or a merge: the other case.' })),
    refused: Type.Optional(
      Type.Boolean({
        description: 'For a merge, tags, a task or a link: true if nothing changed, because another merge came first, or others had filled the case.',
      }),
    ),
  },
  { $id: 'TimelineEntry', description: "A line of a case's history. Its fields depend on its kind." },
)
export type TimelineEntryShape = Static<typeof TimelineEntrySchema>

/**
 * Converts a timeline entry. An entry about duplicates gets their number.
 * @param undoers by each run that undoes another: who asked for it
 */
export function timelineEntryView(
  { key, at, actor, body }: TimelineEntry,
  names: Names,
  repeats: Repeats = noRepeats,
  undoers: ReadonlyMap<RunId, string> = new Map(),
): TimelineEntryShape {
  return { id: key, at, actor: actorView(actor, names, undoers), ...bodyView(body, repeats) }
}

function actorView(actor: TimelineEntry['actor'], names: Names, undoers: ReadonlyMap<RunId, string>): TimelineEntryShape['actor'] {
  if ('run' in actor) {
    const by = undoers.get(actor.run)
    return { run: actor.run, step: actor.step, ...(by !== undefined && { name: by }) }
  }
  const name = names.get(actor.principal)
  return { principal_uuid: actor.principal, ...(name !== undefined && { name }) }
}

function bodyView(body: TimelineBody, repeats: Repeats): Omit<TimelineEntryShape, 'id' | 'at' | 'actor'> {
  switch (body.kind) {
    case 'lookups':
      return { kind: body.kind, calls: [...body.calls] }
    case 'cancelled':
      return { kind: body.kind, text: body.text, by: [body.by], cancelled_run: body.run }
    case 'repeated':
      return { kind: body.kind, alert_id: body.alertId, ...repeatedView(body.alertId, repeats) }
    case 'decision':
      return { ...body, by: [...body.by] }
    case 'comment':
      return {
        kind: body.kind,
        text: body.text,
        ...(body.mentions && { mentions: body.mentions.map(({ principal, name }) => ({ principal_uuid: principal, name })) }),
      }
    case 'tags':
      return { ...body, added: [...body.added], removed: [...body.removed] }
    case 'task':
      return { ...body, by: [body.by] }
    case 'link':
    case 'merge': {
      const { other, by, ...rest } = body
      return { ...rest, by: [by], other_case: { case_id: other.caseId, case_uuid: other.uuid } }
    }
    case 'action': {
      const { undoes, effect: _, ...rest } = body
      return { ...rest, ...(undoes && { undoes: undoes.run, undoes_step: undoes.address }) }
    }
    case 'failure': {
      const { ended, ...rest } = body
      return { ...rest, ...(ended && { remedy: ended.remedy }) }
    }
    case 'retry': {
      const { dropped: _, ...rest } = body
      return rest
    }
    case 'doubt':
      return { kind: body.kind, text: body.text, ...(body.status && { status: body.status }) }
    case 'recovered':
      return { kind: body.kind, text: body.text }
    case 'undo': {
      const { asked, ...rest } = body
      return { ...rest, ...(asked && { by: [asked.by], reason: asked.reason }) }
    }
    case 'undone': {
      const { undoes, by, reason, state, undone, standing, inDoubt, text, status } = body
      const counts = { undo_state: state, undone, standing, in_doubt: inDoubt }
      return { kind: body.kind, undoes, by: [by], reason, ...counts, text, ...(status && { status }) }
    }
    default:
      return body
  }
}

function repeatedView(alertId: string, { count, latest }: Repeats) {
  if (latest === null) return { text: `Alert ${alertId} came again`, duplicates: 0 }
  const times = count === 1 ? 'once more' : `${count} times more`
  return { text: `Alert ${alertId} came ${times}, last as ${latest.alertId}`, duplicates: count, latest_at: latest.createdAt }
}
