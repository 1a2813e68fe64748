import {
  type Alert,
  alertStatusNames,
  type Case,
  type CaseLink,
  caseStatuses,
  type Decision,
  dispositions,
  type Failure,
  type Pause,
  type Run,
  runStates,
  severities,
} from '../../../domain/index.ts'
import type { EarlierWrite } from '../../../ingest/index.ts'
import type { listObservables } from '../../../playbook/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Repeats } from '../../../storage/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import { attentionView, standingFields, supersededView } from '../cases/index.ts'
import { OpenDecisionSchema, openDecisionView } from '../decisions/index.ts'
import { pauseView } from '../pauses/index.ts'
import { CancellationSchema, cancellationView, DeathsSchema, deathsView, UndoneBySchema, undoneByView } from '../runs/index.ts'
import { caseLinkView, MergedIntoSchema, mergedIntoView } from '../shared/index.ts'

const status = Type.Integer({ description: '0 Created, 5 Submitted, 10 Inprogress, 15 Completed, 20 Failed (specification 3.1).' })

const identity = {
  alert_id: Type.String({ description: '<org code>-<PROVIDER>-<sequence>' }),
  alert_provider: Type.String(),
  alert_type: nullable(Type.String({ description: 'Null: the alert is stored but not investigated.' })),
  alert_uuid: Uuid,
  created_at: Time,
  created_at_source: nullable(Time),
  created_by: Uuid,
  investigation_retry_count: Type.Integer(),
  investigation_status: status,
  modified_at: Time,
  organization_code: Type.String(),
  organization_uuid: Uuid,
}

const progress = {
  alert_name: Type.String({ description: 'The title or rule name in the content, or else the type.' }),
  status_name: Type.String(),
  investigator: nullable(Type.String({ description: 'The playbook of the latest run.' })),
  case_id: nullable(Type.String()),
  completed_at: nullable(Time),
  duplicate_of: nullable(Type.String({ description: 'The alert_id of the alert that it repeats. That alert is investigated instead.' })),
}

/** An alert with the fields of specification 2.2. */
export const AlertSchema = Type.Object(
  { alert_content: Type.String(), ...identity },
  { $id: 'Alert', description: 'An alert (specification 2.2).', additionalProperties: false },
)

const EarlierWriteSchema = Type.Object({
  run_id: Type.String(),
  step: Type.String({ description: 'Address of the step. A request of a handler adds `#` and its number.' }),
  outcome: oneOf(['done', 'unknown'], 'unknown: nobody knows whether it happened.'),
  at: Time,
})

export const RetriedAlertSchema = Type.Object(
  {
    alert_content: Type.String(),
    ...identity,
    earlier_writes: Type.Array(EarlierWriteSchema, {
      description: 'What earlier attempts changed in external systems. The new attempt may repeat it.',
    }),
  },
  { $id: 'RetriedAlert', description: 'An alert that is investigated again.', additionalProperties: false },
)

export const RetryPreviewSchema = Type.Object(
  {
    alert_id: Type.String(),
    retriable: Type.Boolean({ description: 'Whether its investigation has ended.' }),
    earlier_writes: Type.Array(EarlierWriteSchema, {
      description: 'What attempts have changed in external systems, or may have. A retry may repeat it.',
    }),
  },
  { $id: 'RetryPreview', description: 'What a retry of an alert may repeat.', additionalProperties: false },
)

export const AlertItemSchema = Type.Object(
  {
    alert_content_preview: Type.String({ description: 'The first characters of the content.' }),
    ...identity,
    ...progress,
    case_merged_into: MergedIntoSchema,
  },
  { $id: 'AlertItem', description: 'An alert in a list.', additionalProperties: false },
)

const RunSchema = Type.Object({
  run_id: Type.String(),
  attempt: Type.Integer({ description: 'From 1.' }),
  state: oneOf(runStates, 'waiting: until a time, or for a decision.'),
  wake_at: nullable(Type.Integer({ description: 'For a waiting run: when it continues by itself. Null: it waits for a decision.' })),
  playbook: Type.String(),
  started_at: Time,
  ended_at: nullable(Time),
  reason: nullable(Type.String()),
  retry_at: nullable(Type.Integer({ description: 'For a failed run: when it is retried automatically, in epoch milliseconds.' })),
  deaths: DeathsSchema,
  cancelled: Type.Union([Type.Null(), CancellationSchema], { description: 'Set when somebody has cancelled it.' }),
  undone_by: Type.Array(UndoneBySchema, { description: 'The runs that undo it, oldest first. The case says what happened to its writes.' }),
  failure: Type.Union([
    Type.Null(),
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      remedy: nullable(Type.String()),
      step: nullable(Type.String()),
      vendor: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    }),
  ]),
})

const ObservableSchema = Type.Object({
  kind: Type.String({ description: 'email_address, user_name, ip_address, domain, url, file_hash, or the name of an id such as message_id.' }),
  value: Type.String({ description: 'To find the other alerts that have it, send it as contains to the list.' }),
  places: Type.Array(Type.String(), { description: 'Its paths in JSON content. Empty: it is inside a text.' }),
})

const CaseSummarySchema = Type.Object({
  case_id: Type.String(),
  case_uuid: Uuid,
  title: Type.String(),
  severity: oneOf(severities),
  status: oneOf(caseStatuses),
  disposition: oneOf(dispositions),
  summary: nullable(Type.String({ description: 'The verdict; see superseded.' })),
  merged_into: MergedIntoSchema,
  ...standingFields,
})

export const AlertDetailsSchema = Type.Object(
  {
    alert_content: Type.String(),
    ...identity,
    ...progress,
    duplicates: Type.Integer({ description: 'How many alerts repeat it. List them with duplicate_of.' }),
    pauses: Type.Array(Type.Ref('Pause#'), {
      description: 'The pauses that hold it. Before it has a run: those of its organization, and the one that a worker found.',
    }),
    open_decisions: Type.Array(OpenDecisionSchema, { description: 'The decisions that its run waits for.' }),
    runs: Type.Array(RunSchema, { description: 'Oldest first.' }),
    case: Type.Union([Type.Null(), CaseSummarySchema]),
    observables: Type.Array(ObservableSchema, { description: 'What its content names, each once, at most 100.' }),
    more_observables: Type.Boolean({ description: 'Whether there are more than 100.' }),
  },
  { $id: 'AlertDetails', description: 'An alert with its investigations and its case.', additionalProperties: false },
)

export function alertView(alert: Alert): Static<typeof AlertSchema> {
  return {
    alert_content: alert.content,
    alert_id: alert.alertId,
    alert_provider: alert.provider,
    alert_type: alert.type,
    alert_uuid: alert.uuid,
    created_at: alert.createdAt,
    created_at_source: alert.createdAtSource,
    created_by: alert.createdBy,
    investigation_retry_count: alert.retryCount,
    investigation_status: alert.status,
    modified_at: alert.modifiedAt,
    organization_code: alert.organizationCode,
    organization_uuid: alert.organization,
  }
}

export function earlierWriteView({ run, address, outcome, at }: EarlierWrite): Static<typeof EarlierWriteSchema> {
  return { run_id: run, step: address, outcome, at }
}

function progressView(alert: Alert) {
  return {
    alert_name: alert.name,
    status_name: alertStatusNames[alert.status],
    investigator: alert.investigator,
    case_id: alert.caseId,
    completed_at: alert.completedAt,
    duplicate_of: alert.duplicateOf?.alertId ?? null,
  }
}

export function alertItemView(alert: Alert, continued: ReadonlyMap<string, CaseLink>): Static<typeof AlertItemSchema> {
  const { alert_content, ...rest } = alertView(alert)
  // The store may cut a surrogate pair. Drop the half of it at the end.
  return {
    alert_content_preview: alert_content.toWellFormed(),
    ...rest,
    ...progressView(alert),
    case_merged_into: mergedIntoView(continued, alert.caseId),
  }
}

/** What the API knows about an alert besides its own fields. */
export interface Investigation {
  readonly runs: readonly Run[]
  /** The undos of these runs. */
  readonly undos: readonly Run[]
  readonly open: readonly Decision[]
  readonly repeats: Repeats
  readonly case: Case | null
  /** The pauses that hold the alert. */
  readonly pauses: readonly Pause[]
  readonly observables: ReturnType<typeof listObservables>
}

export function alertDetailsView(
  alert: Alert,
  { runs, undos, open, repeats, case: found, pauses, observables }: Investigation,
): Static<typeof AlertDetailsSchema> {
  return {
    ...alertView(alert),
    ...progressView(alert),
    duplicates: repeats.count,
    pauses: pauses.map(pauseView),
    open_decisions: open.map(openDecisionView),
    runs: runs.map((run) =>
      runView(
        run,
        undos.filter(({ undo }) => undo?.run === run.id),
      ),
    ),
    case: found === null ? null : caseSummaryView(found),
    observables: observables.items.map(({ kind, value, places }) => ({ kind, value: value.toWellFormed(), places: [...places] })),
    more_observables: observables.more,
  }
}

function runView(run: Run, undos: readonly Run[]): Static<typeof RunSchema> {
  return {
    run_id: run.id,
    attempt: run.attempt,
    state: run.state,
    wake_at: run.wakeAt,
    playbook: run.pins.playbook.name,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    reason: run.reason,
    retry_at: run.retryAt,
    deaths: deathsView(run.deaths),
    cancelled: run.cancelled && cancellationView(run.cancelled),
    undone_by: undos.map(undoneByView),
    failure: run.failure && failureView(run.failure),
  }
}

function failureView({ code, message, remedy, step, vendor }: Failure) {
  return { code, message, remedy, step, ...(vendor && { vendor }) }
}

function caseSummaryView(found: Case): Static<typeof CaseSummarySchema> {
  const { caseId, uuid, title, severity, status, disposition, summary, marks, desk } = found
  const merged_into = desk.into && caseLinkView(desk.into)
  const standing = { attention: attentionView(marks), superseded: supersededView(marks) }
  return { case_id: caseId, case_uuid: uuid, title, severity, status, disposition, summary, merged_into, ...standing }
}
