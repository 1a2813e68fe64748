import type { OrganizationStore, PrincipalStore, ProviderStore, SettingStore } from './access.ts'
import type { AlertStore } from './alerts.ts'
import type { CaseStore } from './cases.ts'
import type { ConnectionStore, TokenStore } from './connections.ts'
import type { DecisionStore } from './decisions.ts'
import type { PauseStore, PolicyStore, QuotaStore } from './guards.ts'
import type { JournalStore } from './journal.ts'
import type { ArtifactStore } from './playbooks.ts'
import type { RunStore, SessionStore } from './runs.ts'
import type { DeliveryStore, OutboxStore, WebhookStore } from './webhooks.ts'

export type * from './access.ts'
export type * from './alerts.ts'
export type * from './cases.ts'
export type * from './connections.ts'
export type * from './decisions.ts'
export type * from './guards.ts'
export type * from './journal.ts'
export type * from './page.ts'
export type * from './playbooks.ts'
export type * from './runs.ts'
export type * from './webhooks.ts'

/**
 * What the runtime keeps, in the terms of the domain. Two adapters implement it (embedded, MongoDB); one conformance suite
 * (test/conformance/storage) says what each method means, and every sentence here is a case there.
 *
 * Durability: a resolved promise of a method that writes means that the write survives a power cut (embedded: fsync of the
 * write-ahead log) or the loss of a minority of the replica set (MongoDB: majority write concern with journal).
 * Scope: what lies outside the given scope is not found, not listed, not changed.
 * Failures: an adapter throws `TocsinError('store_unavailable')` when it cannot answer; conflicts that callers act on are results, not errors.
 */
export interface Store {
  readonly organizations: OrganizationStore
  readonly policies: PolicyStore
  readonly quotas: QuotaStore
  readonly providers: ProviderStore
  readonly principals: PrincipalStore
  readonly connections: ConnectionStore
  readonly tokens: TokenStore
  readonly artifacts: ArtifactStore
  readonly alerts: AlertStore
  readonly sessions: SessionStore
  readonly runs: RunStore
  readonly journal: JournalStore
  readonly cases: CaseStore
  readonly decisions: DecisionStore
  readonly pauses: PauseStore
  readonly settings: SettingStore
  readonly webhooks: WebhookStore
  readonly outbox: OutboxStore
  readonly deliveries: DeliveryStore
  /**
   * Checks that the store can write and read; for readiness.
   * @throws TocsinError `store_unavailable`; everybody may see its message, so it names no path and no address
   */
  ping(): Promise<void>
  close(): Promise<void>
}
