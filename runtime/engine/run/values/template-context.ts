import type { Alert, Json, PinnedConnection, Run, SentAlert } from '../../../domain/index.ts'
import type { Context, ValueTemplate } from '../../../expressions/index.ts'
import { contentJson, type Plan } from '../../../playbook/index.ts'

/** Returns the content as templates see it: parsed if it is a JSON object or list, else its text. */
function contentOf(text: string): Json {
  // Templates can name parts of an object or a list only.
  const json = contentJson(text)
  return typeof json === 'object' && json !== null ? json : text
}

/** Returns the `alert` root: the fields of specification 2.2, and `content` parsed. Before the alert has a number, there is no `alert_id`. */
function alertRoot(alert: Alert | SentAlert): Json {
  return {
    ...('alertId' in alert && { alert_id: alert.alertId }),
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
    investigation_retry_count: 'retryCount' in alert ? alert.retryCount : 0,
  }
}

/** Returns whether a template may need the alert's number. Otherwise it can be rendered before the alert has one. */
export function readsNumber({ reads }: Pick<ValueTemplate, 'reads'>): boolean {
  return reads.some(([root, field]) => root === 'alert' && (field === undefined || field === 'alert_id'))
}

/** Returns what templates may name before the run exists: for the case's title. */
export function contextBeforeRun(alert: Alert | SentAlert, inputs: Readonly<Record<string, Json>>): Context {
  return { alert: alertRoot(alert), inputs, organization: { code: alert.organizationCode, uuid: alert.organization } }
}

function connectionsRoot(plan: Plan, pinned: (slot: string) => PinnedConnection | undefined): Json {
  const slots = Object.keys(plan.slots).map((slot) => {
    const connection = pinned(slot)
    return [slot, connection ? { bound: true, instance: connection.instance } : { bound: false }]
  })
  return Object.fromEntries(slots)
}

/**
 * Returns what a sub-playbook's templates may name, except `steps`, `vars` and `case`: its own inputs and
 * connections, and the alert, organization and run of its caller.
 */
export function subPlaybookContext(
  outer: Context,
  inputs: Readonly<Record<string, Json>>,
  plan: Plan,
  pinned: (slot: string) => PinnedConnection | undefined,
): Context {
  const { alert, organization, run } = outer
  return { alert, organization, run, inputs, connections: connectionsRoot(plan, pinned) }
}

/**
 * Returns what a run's templates may name, except `steps`, `vars` and `case`. `now` is the recorded start of
 * the run, so it is the same in every execution.
 */
export function runContext(alert: Alert, inputs: Readonly<Record<string, Json>>, plan: Plan, run: Run): Context {
  return {
    ...contextBeforeRun(alert, inputs),
    connections: connectionsRoot(plan, (slot) => run.pins.connections[slot]),
    run: { id: run.id, attempt: run.attempt, now: run.startedAt, playbook: run.pins.playbook.name },
  }
}
