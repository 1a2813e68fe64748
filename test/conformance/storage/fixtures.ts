import { systemIds } from '../../../runtime/config/seams.ts'
import {
  type Alert,
  type AlertUuid,
  alertPrefix,
  asId,
  type Cancellation,
  type CaseJoin,
  type CaseOpening,
  type CaseUuid,
  type Digest,
  defaultPolicy,
  deliveryId,
  type EventId,
  eventTypes,
  type JournalEntry,
  type JournalRecord,
  type Json,
  type Millis,
  type NewAlert,
  type NewDelivery,
  normaliseType,
  type Organization,
  type OrganizationId,
  organizationScope,
  type Principal,
  type PrincipalId,
  pinnedPolicy,
  type RunId,
  runId,
  type Scope,
  type SessionId,
  systemScope,
  type TimelineEntry,
  tokensOf,
  undoRunId,
  type Webhook,
  type WebhookId,
} from '../../../runtime/domain/index.ts'
import type { ClaimResult, RunClaim, RunEnd, RunSleep, Store, UndoOpening } from '../../../runtime/storage/index.ts'

/** A fixed time. The cases never read the wall clock. */
export const noon: Millis = 1_800_000_000_000
export const everyone = systemScope

export function uuid<T extends string>(): T {
  return systemIds.uuid() as T
}

/** Returns an organization that no other case uses. */
export interface Tenant {
  readonly id: OrganizationId
  readonly code: string
  readonly scope: Scope
}

export function newTenant(): Tenant {
  const id = uuid<OrganizationId>()
  return { id, code: `T${id.replaceAll('-', '').slice(4, 28)}`, scope: organizationScope(id) }
}

export function organizationOf({ id, code }: Tenant): Organization {
  return { id, code, name: `Tenant ${code}`, createdAt: noon, createdBy: uuid<PrincipalId>() }
}

export function newPrincipal(organizations: Principal['organizations']): Principal {
  return { id: uuid<PrincipalId>(), name: 'somebody', permissions: ['alerts:read'], organizations, createdAt: noon, createdBy: null }
}

type AlertParts = Partial<Pick<NewAlert, 'provider' | 'type' | 'content' | 'createdAt' | 'createdBy' | 'idempotency' | 'createdAtSource'>>

export function newAlert(tenant: Tenant, parts: AlertParts = {}): NewAlert {
  const { provider = 'siem', type = 'phishing', content = '{"title":"Mail"}', createdAt = noon } = parts
  const name = type ?? provider
  return {
    uuid: uuid<AlertUuid>(),
    organization: tenant.id,
    organizationCode: tenant.code,
    provider,
    numberedAs: alertPrefix(tenant.code, provider),
    type,
    content,
    name,
    tokens: tokensOf(content, name, type ?? '', provider),
    createdAt,
    createdAtSource: parts.createdAtSource ?? null,
    createdBy: parts.createdBy ?? asId<PrincipalId>('0197a000-0000-7000-8000-00000000aaaa'),
    idempotency: parts.idempotency ?? null,
  }
}

export async function insertOne(store: Store, alert: NewAlert): Promise<Alert> {
  const [inserted] = await store.alerts.insert(everyone, [alert])
  if (!inserted) throw new Error('Nothing was inserted.')
  return inserted.alert
}

export async function openSession(store: Store): Promise<SessionId> {
  const id = uuid<SessionId>()
  await store.sessions.open(everyone, { id, host: 'worker.example', pid: 7 })
  return id
}

const digest = (letter: string): Digest => asId(`sha256:${letter.repeat(64)}`)

function newOpening(title = 'Somebody reported a mail'): CaseOpening {
  return { uuid: uuid<CaseUuid>(), title, severity: 'medium', join: null }
}

export function claimOf(alert: Alert | NewAlert, session: SessionId, attempt = 1, at: Millis = noon + 10): RunClaim {
  return {
    run: runId(alert.uuid, attempt),
    alert: alert.uuid,
    organization: alert.organization,
    type: normaliseType(alert.type ?? ''),
    attempt,
    session,
    at,
    pins: {
      playbook: { name: 'phishing-reported', digest: digest('a') },
      playbooks: {},
      policy: { revision: 2, ...defaultPolicy, approvals: { ...defaultPolicy.approvals, skills: { 'mail.sec': 'ask' } } },
      plugins: { 'mail.sec': digest('b') },
      connections: { mail: { id: uuid(), revision: 3, instance: 'prod' } },
    },
    opening: newOpening(),
  }
}

/** Returns a claim by a process that has stored the alert a moment ago. */
export function justStored(claim: RunClaim, { alertId, organizationCode }: Alert): RunClaim {
  return { ...claim, justStored: { alertId, organizationCode } }
}

/** Returns a claim that the alert may show later. */
export function showingLater(claim: RunClaim): RunClaim {
  return { ...claim, mayShowLater: true }
}

/** Returns a claim whose alert joins the case with this key, or opens one that others can join. */
export function joining(claim: RunClaim, join: CaseJoin): RunClaim {
  return { ...claim, opening: { ...claim.opening, join } }
}

/** Returns the opening of a run that undoes another run. */
export function undoOf(run: RunId, number = 1, at: Millis = noon + 200): UndoOpening {
  return {
    run: undoRunId(run, number),
    undo: { run, number, by: uuid<PrincipalId>(), name: 'Ada', reason: 'It was a drill.' },
    pins: {
      playbook: { name: 'undo of phishing-reported', digest: digest('c') },
      playbooks: {},
      policy: pinnedPolicy(null),
      plugins: { 'mail.sec': digest('b') },
      connections: { mail: { id: uuid(), revision: 4, instance: 'prod' } },
    },
    at,
  }
}

export function endOf(run: RunId, epoch: number, position: number, parts: Partial<RunEnd> = {}): RunEnd {
  return { run, epoch, position, records: [], state: 'completed', reason: null, failure: null, retryAt: null, at: noon + 99, entries: [], ...parts }
}

export function sleepOf(run: RunId, epoch: number, position: number, wakeAt: Millis | null, parts: Partial<RunSleep> = {}): RunSleep {
  return { run, epoch, position, records: [], wakeAt, at: noon + 20, ...parts }
}

export function doneRecord(address: string, value: Json): JournalRecord {
  return { kind: 'done', address, digest: 'sha256:0', output: { value }, at: noon }
}

export function entryAt(position: number, epoch: number, address = `step-${position}`): JournalEntry {
  return { position, epoch, format: 1, records: [doneRecord(address, { position })] }
}

export function noteOf(key: string, at: Millis = noon, text = `note ${key}`): TimelineEntry {
  return { key, at, actor: { principal: asId<PrincipalId>('0197a000-0000-7000-8000-00000000bbbb') }, body: { kind: 'note', text } }
}

export const cancellation: Cancellation = { principal: asId('0197a000-0000-7000-8000-00000000cccc'), by: 'ada', reason: 'a drill', at: noon + 30 }

export type Claimed = Extract<ClaimResult, { readonly kind: 'claimed' }>

export function claimedBy(result: ClaimResult): Claimed {
  if (result.kind !== 'claimed') throw new Error(`The claim was answered with ${result.kind}.`)
  return result
}

export async function mustClaim(store: Pick<Store, 'runs'>, claim: RunClaim): Promise<Claimed> {
  const { opened, shown: _, ...claimed } = claimedBy(await store.runs.claim(everyone, claim))
  await opened
  return claimed
}

/** Claims a run that undoes another, in a session of its own. */
export async function mustClaimUndo(store: Store, run: RunId, at: Millis = noon + 200) {
  const session = await openSession(store)
  return { ...claimedBy(await store.runs.claimUndo(everyone, { run, session, at })), session }
}

/** Inserts an alert and starts its investigation. */
export async function investigated(
  store: Store,
  tenant: Tenant,
  alert: NewAlert = newAlert(tenant),
): Promise<{ alert: Alert; claimed: Claimed; session: SessionId }> {
  const session = await openSession(store)
  const inserted = await insertOne(store, alert)
  return { alert: inserted, claimed: await mustClaim(store, claimOf(inserted, session)), session }
}

/** Inserts an alert and ends its investigation. */
export async function ended(store: Store, tenant: Tenant, state: RunEnd['state'] = 'completed'): Promise<{ alert: Alert; claimed: Claimed }> {
  const { alert, claimed } = await investigated(store, tenant)
  await store.runs.end(everyone, endOf(claimed.run.id, claimed.run.epoch, claimed.position, { state }))
  return { alert, claimed }
}

export async function alertNow(store: Store, id: AlertUuid): Promise<Alert> {
  const [found] = await store.alerts.get(everyone, [id])
  if (!found) throw new Error('The alert is not there.')
  return found
}

/** Returns 1, 2, … count. */
export function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

export function rising(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b)
}

/** Inserts an alert whose investigation has failed, and whose automatic retry is due at `retryAt`. */
export async function failedUntil(store: Store, tenant: Tenant, retryAt: Millis) {
  const { alert, claimed } = await investigated(store, tenant)
  const failure = { code: 'network', message: 'reset', remedy: null, step: 'look' }
  await store.runs.end(everyone, endOf(claimed.run.id, 1, claimed.position, { state: 'failed', failure, retryAt }))
  return { alert, run: claimed.run }
}

/**
 * Returns an enabled webhook that wants every event.
 * @param organization null: all organizations
 */
export function newWebhook(organization: OrganizationId | null, parts: Partial<Webhook> = {}): Webhook {
  return {
    id: uuid<WebhookId>(),
    organization,
    url: 'https://soar.example/hooks?to=$tocsin',
    description: 'The ticket system',
    events: eventTypes,
    disabled: null,
    secret: { v: 1, key: 'k', data: 'd' },
    previous: null,
    revision: 1,
    createdAt: noon,
    createdBy: uuid<PrincipalId>(),
    modifiedAt: noon,
    ...parts,
  }
}

/** Returns a delivery of one event for this webhook. */
export function newDelivery({ id: webhook, organization }: Webhook, parts: Partial<NewDelivery> = {}): NewDelivery {
  const event = asId<EventId>(`case_opened-${uuid()}`)
  const body = '{"type":"case.opened","data":{"$odd":"$$NOW"}}'
  return { id: deliveryId(event, webhook), webhook, organization, event, type: 'case.opened', body, createdAt: noon, ...parts }
}
