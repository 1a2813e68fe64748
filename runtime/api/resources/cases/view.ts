import {
  type Case,
  type CaseLink,
  type CaseTask,
  caseStatuses,
  clockStates,
  dispositions,
  type Millis,
  type ServiceClock,
  type ServiceLevels,
  serviceClocks,
  severities,
} from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import { OpenDecisionSchema } from '../decisions/index.ts'
import { CaseLinkSchema, caseLinkView, MergedIntoSchema } from '../shared/index.ts'
import { attentionView, standingFields, supersededView, writesFields } from './standing-view.ts'

const ClockSchema = Type.Object({
  due_at: nullable(Type.Integer({ description: 'Epoch milliseconds. Null: no time is set.' })),
  done_at: nullable(Type.Integer({ description: 'When it happened. Epoch milliseconds.' })),
  state: oneOf(clockStates, 'running: there is still time; overdue: there is none left; met and missed: it happened, in time or too late.'),
})

const LinkedSchema = Type.Object({
  ...CaseLinkSchema.properties,
  title: Type.Optional(Type.String()),
  status: Type.Optional(oneOf(caseStatuses)),
  severity: Type.Optional(oneOf(severities)),
})

const alerts = Type.Array(Type.Object({ alert_id: Type.String(), alert_uuid: Uuid }))

const MergedSchema = Type.Object({ ...LinkedSchema.properties, alerts, attention: standingFields.attention })

const TaskSchema = Type.Object({
  id: Type.String(),
  text: Type.String(),
  assignee: nullable(Type.String()),
  created_at: Time,
  created_by: Type.String({ description: 'A name.' }),
  done_at: nullable(Type.Integer({ description: 'Epoch milliseconds. Null: it is open.' })),
  done_by: nullable(Type.String({ description: 'A name.' })),
})

const fields = {
  case_id: Type.String({ description: '<org code>-<number>' }),
  case_uuid: Uuid,
  organization_code: Type.String(),
  alerts,
  title: Type.String(),
  severity: oneOf(severities),
  status: oneOf(caseStatuses),
  disposition: oneOf(dispositions),
  assignee: nullable(Type.String()),
  summary: nullable(Type.String({ description: 'The verdict, once a playbook has given one. See superseded.' })),
  tags: Type.Array(Type.String()),
  open_tasks: Type.Integer({ description: 'How many tasks are not done.' }),
  merged_into: MergedIntoSchema,
  response: { ...ClockSchema, description: 'The time in which a person must act on the case.' },
  close: { ...ClockSchema, description: 'The time in which the case must be closed.' },
  ...standingFields,
  created_at: Time,
  modified_at: Time,
}

export const CaseSchema = Type.Object(fields, { $id: 'Case', description: 'A case.' })

export const CaseDetailsSchema = Type.Object(
  {
    ...fields,
    tasks: Type.Array(TaskSchema),
    links: Type.Array(LinkedSchema, { description: 'Cases that people linked to this one.' }),
    merged: Type.Array(MergedSchema, { description: 'The cases that were merged into this one.' }),
    ...writesFields,
    open_decisions: Type.Array(OpenDecisionSchema, {
      description: 'The decisions that its runs and those of merged cases wait for, including writes in doubt.',
    }),
    timeline: Type.Array(Type.Ref('TimelineEntry#'), {
      description: 'The entries, oldest first. If there are very many or very large ones: only the latest.',
    }),
    timeline_earlier: nullable(Type.String({ description: 'The cursor of GET …/timeline for the earlier entries. Null: there are none.' })),
  },
  { $id: 'CaseDetails', description: 'A case with its timeline.' },
)

/** @param levels those of the organization's policy */
export function caseView(found: Case, levels: ServiceLevels, now: Millis): Static<typeof CaseSchema> {
  const { tags, tasks, into } = found.desk
  const clocks = serviceClocks(found, levels, now)
  return {
    case_id: found.caseId,
    case_uuid: found.uuid,
    // A case id is `<org code>-<number>` (specification 2.3).
    organization_code: found.caseId.slice(0, -(String(found.number).length + 1)),
    alerts: alertsView(found),
    title: found.title,
    severity: found.severity,
    status: found.status,
    disposition: found.disposition,
    assignee: found.assignee,
    summary: found.summary,
    tags: [...tags],
    open_tasks: tasks.filter(({ done }) => done === null).length,
    merged_into: into && caseLinkView(into),
    response: clockView(clocks.response),
    close: clockView(clocks.close),
    attention: attentionView(found.marks),
    superseded: supersededView(found.marks),
    created_at: found.createdAt,
    modified_at: found.modifiedAt,
  }
}

function clockView({ due, done, state }: ServiceClock): Static<typeof ClockSchema> {
  return { due_at: due, done_at: done, state }
}

export function taskView({ id, text, assignee, createdAt, createdBy, done }: CaseTask): Static<typeof TaskSchema> {
  return { id, text, assignee, created_at: createdAt, created_by: createdBy, done_at: done?.at ?? null, done_by: done?.by ?? null }
}

/** @param other the other case; undefined if only its id is shown */
export function linkView(link: CaseLink, other: Case | undefined): Static<typeof LinkedSchema> {
  return { ...caseLinkView(link), ...(other && { title: other.title, status: other.status, severity: other.severity }) }
}

export function mergedView(link: CaseLink, other: Case, attention: Static<typeof MergedSchema>['attention']): Static<typeof MergedSchema> {
  return { ...linkView(link, other), alerts: alertsView(other), attention }
}

function alertsView({ alerts: linked }: Case) {
  return linked.map(({ alertId, alertUuid }) => ({ alert_id: alertId, alert_uuid: alertUuid }))
}
