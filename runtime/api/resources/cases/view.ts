import Type, { type Static } from 'typebox'
import { type Case, caseStatuses, type Decision, dispositions, severities, type TimelineEntry, writesInCase } from '../../../domain/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import { OpenDecisionSchema, openDecisionView } from '../decisions/index.ts'
import { attentionView, standingFields, supersededView, writesFields, writesView } from './standing-view.ts'
import type { TimelineEntryShape } from './timeline-view.ts'

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
  summary: nullable(Type.String({ description: 'The verdict, once a playbook has given one. See superseded.' })),
  ...standingFields,
  created_at: Time,
  modified_at: Time,
}

export const CaseSchema = Type.Object(fields, { $id: 'Case', description: 'A case.' })

export const CaseDetailsSchema = Type.Object(
  {
    ...fields,
    ...writesFields,
    open_decisions: Type.Array(OpenDecisionSchema, { description: 'The decisions that its runs wait for, including writes in doubt.' }),
    timeline: Type.Array(Type.Ref('TimelineEntry#'), {
      description: 'The entries, oldest first. If there are very many or very large ones: only the latest.',
    }),
    timeline_earlier: nullable(Type.String({ description: 'The cursor of GET …/timeline for the earlier entries. Null: there are none.' })),
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
    attention: attentionView(found.marks),
    superseded: supersededView(found.marks),
    created_at: found.createdAt,
    modified_at: found.modifiedAt,
  }
}

/**
 * Converts a case for the API.
 * @param facts the entries that record writes and decisions
 * @param timeline the latest entries
 * @param earlier the cursor of the entries before them; null: there are none
 */
export function caseDetailsView(
  found: Case,
  facts: readonly TimelineEntry[],
  open: readonly Decision[],
  timeline: readonly TimelineEntryShape[],
  earlier: string | null,
) {
  return {
    ...caseView(found),
    ...writesView(writesInCase(facts)),
    open_decisions: open.map(openDecisionView),
    timeline: [...timeline],
    timeline_earlier: earlier,
  }
}
