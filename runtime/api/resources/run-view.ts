import Type, { type Static } from 'typebox'
import type { OrganizationId, Run, Scope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { nullable, oneOf, Time, Uuid } from '../schemas.ts'
import { organizationCodesOf } from './organization-codes.ts'

const ErrorSchema = Type.Union([Type.Null(), Type.Object({ code: Type.String(), message: Type.String(), step: nullable(Type.String()) })])
const state = oneOf(['running', 'waiting', 'completed', 'failed'], 'waiting: until a time, or for a decision.')

/** What every view of a run has. */
export const runSummary = {
  run_id: Type.String({ description: '<alert_uuid>-r<attempt>' }),
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
    alert_uuid: Uuid,
    alert_type: Type.String({ description: 'Normalised.' }),
    organization_code: Type.String(),
    playbook: Type.String(),
    playbook_digest: Type.String(),
  },
  { $id: 'Run', description: 'One attempt to investigate one alert.' },
)

/** The codes of the organizations that runs belong to. */
export function codesOf(store: Store, scope: Scope, runs: readonly Run[]): Promise<ReadonlyMap<OrganizationId, string>> {
  return organizationCodesOf(
    store,
    scope,
    runs.map(({ organization }) => organization),
  )
}

export function runView(run: Run, codes: ReadonlyMap<OrganizationId, string>): Static<typeof RunSummarySchema> {
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
    alert_uuid: alert,
    alert_type: type,
    organization_code: codes.get(organization) ?? organization,
    playbook: pins.playbook.name,
    playbook_digest: pins.playbook.digest,
  }
}
