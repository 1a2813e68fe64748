import type { AlertStore } from './port/alerts.ts'
import type { ArtifactStore } from './port/artifacts.ts'
import type { CaseStore } from './port/cases.ts'
import type { ConnectionStore } from './port/connections.ts'
import type { DecisionStore } from './port/decisions.ts'
import type { DeliveryStore } from './port/deliveries.ts'
import type { JournalStore } from './port/journal.ts'
import type { OrganizationStore } from './port/organizations.ts'
import type { OutboxStore } from './port/outbox.ts'
import type { PauseStore } from './port/pauses.ts'
import type { PolicyStore } from './port/policies.ts'
import type { PrincipalStore } from './port/principals.ts'
import type { ProviderStore } from './port/providers.ts'
import type { QuotaStore } from './port/quotas.ts'
import type { RunStore } from './port/runs.ts'
import type { SessionStore } from './port/sessions.ts'
import type { SettingStore } from './port/settings.ts'
import type { TokenStore } from './port/tokens.ts'
import type { WebhookStore } from './port/webhooks.ts'

export type * from './port/alerts.ts'
export type * from './port/artifacts.ts'
export type * from './port/cases.ts'
export type * from './port/connections.ts'
export type * from './port/decisions.ts'
export type * from './port/deliveries.ts'
export type * from './port/journal.ts'
export type * from './port/organizations.ts'
export type * from './port/outbox.ts'
export type * from './port/page.ts'
export type * from './port/pauses.ts'
export type * from './port/policies.ts'
export type * from './port/principals.ts'
export type * from './port/providers.ts'
export type * from './port/quotas.ts'
export type * from './port/runs.ts'
export type * from './port/sessions.ts'
export type * from './port/settings.ts'
export type * from './port/timeline.ts'
export type * from './port/tokens.ts'
export type * from './port/webhooks.ts'

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
