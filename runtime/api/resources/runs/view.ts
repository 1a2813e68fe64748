import {
  type AlertUuid,
  type Cancellation,
  type CaseLink,
  type OrganizationId,
  type Run,
  type RunDeaths,
  runStates,
  type Scope,
} from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { AlertNames, Store } from '../../../storage/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import { continuedIn, MergedIntoSchema, mergedIntoView, organizationCodesOf } from '../shared/index.ts'

const ErrorSchema = Type.Union([Type.Null(), Type.Object({ code: Type.String(), message: Type.String(), step: nullable(Type.String()) })])
const state = oneOf(runStates, 'waiting: until a time, or for a decision.')

export const CancellationSchema = Type.Object({
  by: Type.String({ description: "The principal's name." }),
  principal_uuid: Uuid,
  reason: nullable(Type.String()),
  at: Time,
})

/** Returns who cancelled a run, as the API shows it. */
export function cancellationView({ by, principal, reason, at }: Cancellation): Static<typeof CancellationSchema> {
  return { by, principal_uuid: principal, reason, at }
}

/** The short form of an undo, in the view of the run that it undoes. */
export const UndoneBySchema = Type.Object({
  run_id: Type.String(),
  state: oneOf(runStates),
  by: nullable(Type.String({ description: 'The name of the person who requested it.' })),
  reason: nullable(Type.String()),
  started_at: Time,
  ended_at: nullable(Time),
})

/** Returns an undo in the short form that the run shows which it undoes. */
export function undoneByView({ id, state: now, undo, startedAt, endedAt }: Run): Static<typeof UndoneBySchema> {
  return { run_id: id, state: now, by: undo?.name ?? null, reason: undo?.reason ?? null, started_at: startedAt, ended_at: endedAt }
}

export const DeathsSchema = Type.Object(
  {
    in_a_row: Type.Integer({ description: 'Since the run last made progress.' }),
    total: Type.Integer(),
  },
  { description: 'How often a process died while it worked on the run. After too many deaths in a row (TOCSIN_DEATH_LIMIT) the run fails.' },
)

/** Returns how often a process died with a run, as the API shows it. */
export function deathsView({ inPlace, total }: RunDeaths): Static<typeof DeathsSchema> {
  return { in_a_row: inPlace, total }
}

/** The fields of every view of a run. */
export const runSummary = {
  run_id: Type.String({ description: '<alert_uuid>-r<attempt>; for an undo: the run_id of the undone run, -u and a number.' }),
  attempt: Type.Integer({ description: 'From 1.' }),
  state,
  reason: nullable(Type.String()),
  error: ErrorSchema,
  started_at: Time,
  ended_at: nullable(Time),
  case_id: Type.String(),
}

export const RunSummarySchema = Type.Object(
  {
    ...runSummary,
    deaths: DeathsSchema,
    alert_uuid: Uuid,
    alert_id: nullable(Type.String({ description: 'Null: the alert is gone.' })),
    alert_name: nullable(Type.String()),
    alert_type: Type.String({ description: 'Normalised.' }),
    organization_code: Type.String(),
    playbook: Type.String(),
    playbook_digest: Type.String(),
    case_merged_into: MergedIntoSchema,
    undoes: nullable(Type.String({ description: 'The run_id of the run that it undoes. Null: it is an investigation.' })),
  },
  { $id: 'Run', description: 'One attempt to investigate an alert, or the undo of one.' },
)

/** The names of the organizations and alerts of runs, and which of their cases are merged, for people. */
export interface RunNames {
  readonly codes: ReadonlyMap<OrganizationId, string>
  readonly alerts: ReadonlyMap<AlertUuid, Pick<AlertNames, 'alertId' | 'name'>>
  /** By case id: the cases that continue theirs. */
  readonly continued: ReadonlyMap<string, CaseLink>
}

/** Finds the names of the organizations and alerts of runs, and the cases that continue theirs. */
export async function namesOfRuns(store: Store, scope: Scope, runs: readonly Run[]): Promise<RunNames> {
  const [codes, labels, continued] = await Promise.all([
    organizationCodesOf(
      store,
      scope,
      runs.map(({ organization }) => organization),
    ),
    store.alerts.names(scope, [...new Set(runs.map(({ alert }) => alert))]),
    continuedIn(
      store,
      scope,
      runs.map(({ caseId }) => caseId),
    ),
  ])
  return { codes, alerts: new Map(labels.map((label) => [label.uuid, label])), continued }
}

/** Returns a run as lists show it. */
export function runView(run: Run, { codes, alerts, continued }: RunNames): Static<typeof RunSummarySchema> {
  const { id: run_id, attempt, reason, failure, startedAt, endedAt, caseId, alert, type, organization, pins } = run
  return {
    run_id,
    attempt,
    state: run.state,
    reason,
    error: failure && { code: failure.code, message: failure.message, step: failure.step },
    started_at: startedAt,
    ended_at: endedAt,
    case_id: caseId,
    deaths: deathsView(run.deaths),
    alert_uuid: alert,
    alert_id: alerts.get(alert)?.alertId ?? null,
    alert_name: alerts.get(alert)?.name ?? null,
    alert_type: type,
    organization_code: codes.get(organization) ?? organization,
    playbook: pins.playbook.name,
    playbook_digest: pins.playbook.digest,
    case_merged_into: mergedIntoView(continued, caseId),
    undoes: run.undo?.run ?? null,
  }
}
