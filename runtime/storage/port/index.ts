import type { AlertStore } from './alerts.ts'
import type { ArtifactStore } from './artifacts.ts'
import type { CaseStore } from './cases.ts'
import type { ConnectionStore } from './connections.ts'
import type { DecisionStore } from './decisions.ts'
import type { DeliveryStore } from './deliveries.ts'
import type { JournalStore } from './journal.ts'
import type { OrganizationStore } from './organizations.ts'
import type { OutboxStore } from './outbox.ts'
import type { PauseStore } from './pauses.ts'
import type { PolicyStore } from './policies.ts'
import type { PrincipalStore } from './principals.ts'
import type { ProviderStore } from './providers.ts'
import type { QuotaStore } from './quotas.ts'
import type { RunStore } from './runs.ts'
import type { SessionStore } from './sessions.ts'
import type { SettingStore } from './settings.ts'
import type { TokenStore } from './tokens.ts'
import type { WebhookStore } from './webhooks.ts'

export type * from './alerts.ts'
export type * from './artifacts.ts'
export type * from './cases.ts'
export type * from './connections.ts'
export type * from './decisions.ts'
export type * from './deliveries.ts'
export type * from './journal.ts'
export type * from './organizations.ts'
export type * from './outbox.ts'
export type * from './page.ts'
export type * from './pauses.ts'
export type * from './policies.ts'
export type * from './principals.ts'
export type * from './providers.ts'
export type * from './quotas.ts'
export type * from './runs.ts'
export type * from './sessions.ts'
export type * from './settings.ts'
export type * from './timeline.ts'
export type * from './tokens.ts'
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
