declare const brand: unique symbol

/** A string that identifies one kind of thing. TypeScript refuses an id of another kind. */
type Id<Kind extends string> = string & { readonly [brand]: Kind }

/** UUIDv7 of an organization (`organization_uuid` in the specification). */
export type OrganizationId = Id<'organization'>
/** UUIDv7 of a principal (`created_by` in the specification). */
export type PrincipalId = Id<'principal'>
export type KeyId = Id<'key'>
/** UUIDv7 of an alert (`alert_uuid` in the specification). */
export type AlertUuid = Id<'alert'>
export type CaseUuid = Id<'case'>
export type ConnectionId = Id<'connection'>
/** UUIDv7 of an entry of the audit log. */
export type ActId = Id<'act'>
/** UUID of a session: one worker process, from start to end. */
export type SessionId = Id<'session'>
export type RunId = Id<'run'>
export type DecisionId = Id<'decision'>
export type WebhookId = Id<'webhook'>
/** UUIDv7 of a fetch. */
export type FetchId = Id<'fetch'>
/** `<event type, with _ for .>-<subject>`. Has no dot, so that signed text has only one meaning. */
export type EventId = Id<'event'>
/** `<event>.<webhook>` */
export type DeliveryId = Id<'delivery'>
export type PauseId = Id<'pause'>
/** UUIDv7 of a remote agent. */
export type AgentId = Id<'agent'>
/** `sha256:` and 64 hexadecimal digits, over an artifact's canonical bytes. */
export type Digest = Id<'digest'>

/** Treats a string as an id of the wanted kind. For the API and the stores, where plain strings come in. */
export function asId<T extends Id<string>>(value: string): T {
  return value as T
}

/**
 * Returns the id of a run. It derives from the alert and the attempt, so two processes that race to start a
 * run mean the same one.
 */
export function runId(alert: AlertUuid, attempt: number): RunId {
  return `${alert}-r${attempt}` as RunId
}

/**
 * Returns the id of a delivery. It derives from the event and the webhook, so two processes that create it at
 * once mean the same one.
 */
export function deliveryId(event: EventId, webhook: WebhookId): DeliveryId {
  return `${event}.${webhook}` as DeliveryId
}

/** Returns the webhook of a delivery. Ids of events have no dot. */
export function webhookIn(delivery: DeliveryId): WebhookId {
  return delivery.slice(delivery.lastIndexOf('.') + 1) as WebhookId
}

/** Returns the id of the nth run that undoes another one. It is the same for every caller. */
export function undoRunId(run: RunId, number: number): RunId {
  return `${run}-u${number}` as RunId
}

/** Returns whether a run undoes another one. Such a run is not an attempt to investigate its alert. */
export function isUndoRun(run: RunId): boolean {
  return /-u[0-9]+$/.test(run)
}

/** Returns the number of the attempt that a run is, or that it undoes. */
export function attemptIn(run: RunId): number {
  return Number(/-r([0-9]+)(?:-u[0-9]+)?$/.exec(run)?.[1] ?? 1)
}

/** Returns the alert that a run investigates, or whose attempt it undoes. */
export function alertIn(run: RunId): AlertUuid {
  return run.slice(0, 36) as AlertUuid
}
