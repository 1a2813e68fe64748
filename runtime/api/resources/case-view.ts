import Type, { type Static } from 'typebox'
import {
  type AlertUuid,
  type Case,
  caseStatuses,
  type Decision,
  decisionStates,
  dispositions,
  severities,
  type TimelineEntry,
} from '../../domain/index.ts'
import type { Repeats } from '../../storage/index.ts'
import { nullable, oneOf, Time, Uuid } from '../schemas.ts'
import { OpenDecisionSchema, openDecisionView } from './open-decision.ts'

const noRepeats: Repeats = { count: 0, latest: null }

const fields = {
  case_id: Type.String({ description: '<org code>-<number>' }),
  case_uuid: Uuid,
  organization_code: Type.String(),
  alerts: Type.Array(Type.Object({ alert_id: Type.String(), alert_uuid: Uuid })),
  title: Type.String(),
  severity: oneOf(severities),
  status: oneOf(caseStatuses),
  disposition: oneOf(dispositions),
  assignee: nullable(Type.String()),
  summary: nullable(Type.String({ description: 'The verdict, once a playbook has given one.' })),
  created_at: Time,
  modified_at: Time,
}

export const TimelineEntrySchema = Type.Object(
  {
    id: Type.String({ description: 'Unique within the case.' }),
    at: Time,
    kind: oneOf([
      'opened',
      'note',
      'finding',
      'lookups',
      'action',
      'protected',
      'change',
      'verdict',
      'failure',
      'comment',
      'joined',
      'retry',
      'repeated',
      'cancelled',
      'undo',
      'decision',
    ]),
    actor: Type.Object({
      principal_uuid: Type.Optional(Uuid),
      run: Type.Optional(Type.String()),
      step: Type.Optional(Type.String({ description: 'Address of the step in the run.' })),
    }),
    text: Type.Optional(
      nullable(
        Type.String({
          description:
            'Of opened, joined, repeated, undo, note, verdict, failure, retry and comment; of protected: why; of a decision or a cancellation: the reason that was given.',
        }),
      ),
    ),
    title: Type.Optional(Type.String({ description: 'Of a finding or a decision.' })),
    risk: Type.Optional(Type.String({ description: 'Of a finding.' })),
    evidence: Type.Optional(Type.Unknown({ description: 'Of a finding: any JSON.' })),
    calls: Type.Optional(
      Type.Array(Type.Object({ skill: Type.String(), connection: Type.String(), times: Type.Integer(), failed: Type.Integer() }), {
        description: 'Of lookups: what was asked of external systems.',
      }),
    ),
    skill: Type.Optional(Type.String({ description: 'Of an action; of protected: what was not called.' })),
    connection: Type.Optional(Type.String({ description: 'Of an action, and of protected: the instance.' })),
    outcome: Type.Optional(Type.String({ description: 'Of an action.' })),
    target: Type.Optional(nullable(Type.String({ description: 'Of an action: what was acted on; of protected: what was left alone.' }))),
    code: Type.Optional(Type.String({ description: 'Of a failure.' })),
    undoes: Type.Optional(Type.String({ description: 'Of undo: the run that is undone.' })),
    decision: Type.Optional(Type.String({ description: 'Of a decision: its id.' })),
    state: Type.Optional(oneOf(decisionStates, 'Of a decision: `open` when it was asked, else how it was closed.')),
    by: Type.Optional(
      Type.Array(Type.String(), { description: 'Of a decision: the names of those who answered; of a cancellation: of who asked for it.' }),
    ),
    due: Type.Optional(nullable(Type.Integer({ description: 'Of a retry: when it is due, in epoch milliseconds; null: none follows by itself.' }))),
    cancelled_run: Type.Optional(Type.String({ description: 'Of a cancellation: the run.' })),
    alert_id: Type.Optional(Type.String({ description: 'Of repeated: the first alert.' })),
    duplicates: Type.Optional(Type.Integer({ description: 'Of repeated: the alerts so far that repeat it.' })),
    latest_at: Type.Optional(Type.Integer({ description: 'Of repeated: when the last of them was created; epoch milliseconds.' })),
    change: Type.Optional(Type.Unknown({ description: 'Of a change: the fields with their new values.' })),
  },
  { $id: 'TimelineEntry', description: "A line of a case's history; which fields it has depends on its kind." },
)

export const CaseSchema = Type.Object(fields, { $id: 'Case', description: 'A case.' })

export const CaseDetailsSchema = Type.Object(
  {
    ...fields,
    open_decisions: Type.Array(OpenDecisionSchema, { description: 'What its runs wait for people to decide, writes in doubt among it.' }),
    timeline: Type.Array(Type.Ref('TimelineEntry#'), { description: 'In order of time.' }),
  },
  { $id: 'CaseDetails', description: 'A case with its timeline.' },
)

export function caseView(found: Case): Static<typeof CaseSchema> {
  return {
    case_id: found.caseId,
    case_uuid: found.uuid,
    // A case id is `<org code>-<number>` (specification 2.3).
    organization_code: found.caseId.slice(0, -(String(found.number).length + 1)),
    alerts: found.alerts.map(({ alertId, alertUuid }) => ({ alert_id: alertId, alert_uuid: alertUuid })),
    title: found.title,
    severity: found.severity,
    status: found.status,
    disposition: found.disposition,
    assignee: found.assignee,
    summary: found.summary,
    created_at: found.createdAt,
    modified_at: found.modifiedAt,
  }
}

/** An entry of a timeline; those that say that an alert came again, with what is counted. */
export function timelineEntryView(entry: TimelineEntry, repeats: Repeats = noRepeats): Static<typeof TimelineEntrySchema> {
  const { key, at, actor, body } = entry
  const who: Static<typeof TimelineEntrySchema>['actor'] =
    'principal' in actor ? { principal_uuid: actor.principal } : { run: actor.run, step: actor.step }
  const base = { id: key, at, actor: who }
  if (body.kind === 'lookups') return { ...base, kind: body.kind, calls: [...body.calls] }
  if (body.kind === 'cancelled') return { ...base, kind: body.kind, text: body.text, by: [body.by], cancelled_run: body.run }
  if (body.kind === 'repeated') return { ...base, kind: body.kind, alert_id: body.alertId, ...repeatedView(body.alertId, repeats) }
  return body.kind === 'decision' ? { ...base, ...body, by: [...body.by] } : { ...base, ...body }
}

function repeatedView(alertId: string, { count, latest }: Repeats) {
  if (latest === null) return { text: `Alert ${alertId} came again`, duplicates: 0 }
  const times = count === 1 ? 'once more' : `${count} times more`
  return { text: `Alert ${alertId} came ${times}, last as ${latest.alertId}`, duplicates: count, latest_at: latest.createdAt }
}

/** @param repeats of each alert that an entry says has come again */
export function caseDetailsView(
  found: Case,
  timeline: readonly TimelineEntry[],
  repeats: ReadonlyMap<AlertUuid, Repeats>,
  open: readonly Decision[],
) {
  const views = timeline.flatMap((entry) => {
    const counted = entry.body.kind === 'repeated' ? (repeats.get(entry.body.alertUuid) ?? noRepeats) : noRepeats
    // The entry comes before the first duplicate, and stays when the only one was investigated by itself after all.
    return entry.body.kind === 'repeated' && counted.count === 0 ? [] : [timelineEntryView(entry, counted)]
  })
  return { ...caseView(found), open_decisions: open.map(openDecisionView), timeline: views }
}
