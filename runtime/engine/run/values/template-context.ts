import type { Alert, Json, PinnedConnection, Run } from '../../../domain/index.ts'
import type { Context } from '../../../expressions/index.ts'
import { contentJson, type Plan } from '../../../playbook/index.ts'

/** The content as templates see it: the JSON it is, else its text. */
function contentOf(text: string): Json {
  // Only an object or list has anything to name.
  const json = contentJson(text)
  return typeof json === 'object' && json !== null ? json : text
}

/** The `alert` root: the fields of specification 2.2, and `content` parsed. */
function alertRoot(alert: Alert): Json {
  return {
    alert_id: alert.alertId,
    alert_uuid: alert.uuid,
    alert_name: alert.name,
    alert_content: alert.content,
    content: contentOf(alert.content),
    alert_provider: alert.provider,
    alert_type: alert.type,
    organization_code: alert.organizationCode,
    organization_uuid: alert.organization,
    created_at: alert.createdAt,
    created_at_source: alert.createdAtSource,
    created_by: alert.createdBy,
    investigation_retry_count: alert.retryCount,
  }
}

/** What templates may name before there is a run: for the case's title. */
export function contextBeforeRun(alert: Alert, inputs: Readonly<Record<string, Json>>): Context {
  return { alert: alertRoot(alert), inputs, organization: { code: alert.organizationCode, uuid: alert.organization } }
}

function connectionsRoot(plan: Plan, pinned: (slot: string) => PinnedConnection | undefined): Json {
  const slots = Object.keys(plan.slots).map((slot) => {
    const connection = pinned(slot)
    return [slot, connection ? { bound: true, instance: connection.instance } : { bound: false }]
  })
  return Object.fromEntries(slots)
}

/** All that a sub-playbook's templates may name, but `steps`, `vars` and `case`: its own inputs and connections, and the alert, organization and run of what runs it. */
export function subPlaybookContext(
  outer: Context,
  inputs: Readonly<Record<string, Json>>,
  plan: Plan,
  pinned: (slot: string) => PinnedConnection | undefined,
): Context {
  const { alert, organization, run } = outer
  return { alert, organization, run, inputs, connections: connectionsRoot(plan, pinned) }
}

/** All that a run's templates may name, but `steps`, `vars` and `case`. `now` is the run's recorded time, the same in every life. */
export function runContext(alert: Alert, inputs: Readonly<Record<string, Json>>, plan: Plan, run: Run): Context {
  return {
    ...contextBeforeRun(alert, inputs),
    connections: connectionsRoot(plan, (slot) => run.pins.connections[slot]),
    run: { id: run.id, attempt: run.attempt, now: run.startedAt, playbook: run.pins.playbook.name },
  }
}
