/** What every store does, in terms of the domain. Each file has the stores of one aggregate. */

import type { ActStore, OrganizationStore, PrincipalStore, ProviderStore, SettingStore } from './access.ts'
import type { AgentStore } from './agents.ts'
import type { AlertStore } from './alerts.ts'
import type { CaseStore } from './cases.ts'
import type { ConnectionStore, TokenStore } from './connections.ts'
import type { DecisionStore } from './decisions.ts'
import type { FetchStore } from './fetches.ts'
import type { PauseStore, PolicyStore, QuotaStore } from './guards.ts'
import type { JournalStore } from './journal.ts'
import type { ArtifactStore } from './playbooks.ts'
import type { RunStore, SessionStore } from './runs.ts'
import type { StatisticsStore } from './statistics.ts'
import type { DeliveryStore, OutboxStore, WebhookStore } from './webhooks.ts'

export type * from './access.ts'
export type * from './agents.ts'
export type * from './alerts.ts'
export type * from './cases.ts'
export type * from './connections.ts'
export type * from './decisions.ts'
export type * from './fetches.ts'
export type * from './guards.ts'
export type * from './journal.ts'
export type * from './page.ts'
export type * from './playbooks.ts'
export type * from './runs.ts'
export type * from './statistics.ts'
export type * from './webhooks.ts'

/**
 * The record of everything that Tocsin keeps, in terms of the domain. Two adapters implement it: embedded
 * (SQLite) and MongoDB. One conformance suite (test/conformance/storage) tests both. Every sentence of these
 * interfaces is a case there.
 *
 * Durability: when the promise of a writing method resolves, the write survives a power cut (embedded: fsync
 * of the write-ahead log) or the loss of a minority of the replica set (MongoDB: majority write concern with
 * journal).
 *
 * Scope: reads do not find or list what is outside the given scope, and writes do not change it. A write that
 * names such data returns what it returns for missing data, or throws `organization_forbidden`.
 *
 * Errors: an adapter throws TocsinError `store_unavailable` if it cannot answer. Conflicts that callers
 * handle are results, not errors.
 *
 * Times are milliseconds since the epoch. "Store time" is the clock of the store, the same for all processes.
 * `after` of a list is null for the first page.
 */
export interface Store {
  readonly organizations: OrganizationStore
  readonly policies: PolicyStore
  readonly quotas: QuotaStore
  readonly providers: ProviderStore
  readonly principals: PrincipalStore
  readonly acts: ActStore
  readonly agents: AgentStore
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
  readonly fetches: FetchStore
  readonly settings: SettingStore
  readonly webhooks: WebhookStore
  readonly outbox: OutboxStore
  readonly deliveries: DeliveryStore
  readonly statistics: StatisticsStore
  /**
   * Checks that the store can read and write. For readiness.
   * @throws TocsinError `store_unavailable`. Everybody may see its message, so it names no path and no
   * address.
   */
  ping(): Promise<void>
  close(): Promise<void>
}
