declare const brand: unique symbol

/** A string that names one kind of thing, so that one kind is never passed for another. */
type Id<Kind extends string> = string & { readonly [brand]: Kind }

/** UUIDv7 of an organization; the specification's `organization_uuid`. */
export type OrganizationId = Id<'organization'>
/** UUIDv7 of a principal; the specification's `created_by`. */
export type PrincipalId = Id<'principal'>
export type KeyId = Id<'key'>
/** UUIDv7 of an alert; the specification's `alert_uuid`. */
export type AlertUuid = Id<'alert'>
export type CaseUuid = Id<'case'>
export type ConnectionId = Id<'connection'>
/** UUID of one life of one worker process. */
export type SessionId = Id<'session'>
export type RunId = Id<'run'>
export type DecisionId = Id<'decision'>
export type WebhookId = Id<'webhook'>
/** `<type of the event, _ for .>-<what it is about>`; has no dot, so that what is signed can be taken apart in one way only. */
export type EventId = Id<'event'>
/** `<event>.<webhook>` */
export type DeliveryId = Id<'delivery'>
export type PauseId = Id<'pause'>
/** `sha256:` and 64 hexadecimal digits of an artifact's canonical bytes. */
export type Digest = Id<'digest'>

/** Names a string as an id of the wanted kind; for the boundaries (API, store) where plain strings come in. */
export function asId<T extends Id<string>>(value: string): T {
  return value as T
}

/** A run's id derives from the alert and the attempt, so that two processes that race to start it mean the same run. */
export function runId(alert: AlertUuid, attempt: number): RunId {
  return `${alert}-r${attempt}` as RunId
}

/** A delivery's id derives from event and webhook, so that two processes that make it at once mean the same. */
export function deliveryId(event: EventId, webhook: WebhookId): DeliveryId {
  return `${event}.${webhook}` as DeliveryId
}

/** The id of the nth run that undoes another one. It is the same for every caller. */
export function undoRunId(run: RunId, number: number): RunId {
  return `${run}-u${number}` as RunId
}

/** Whether a run undoes another one, and is no attempt to investigate its alert. */
export function isUndoRun(run: RunId): boolean {
  return /-u[0-9]+$/.test(run)
}

/** Which attempt a run is, or undoes. */
export function attemptIn(run: RunId): number {
  return Number(/-r([0-9]+)(?:-u[0-9]+)?$/.exec(run)?.[1] ?? 1)
}
