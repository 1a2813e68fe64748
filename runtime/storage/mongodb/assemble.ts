import pLimit from 'p-limit'
import type { Clock, Ids } from '../../domain/index.ts'
import type { Store } from '../port.ts'
import { alertStore } from './alerts.ts'
import { artifactStore } from './artifacts.ts'
import { caseStore } from './cases.ts'
import type { Collections } from './collections.ts'
import { connectionStore } from './connections.ts'
import { decisionStore } from './decisions.ts'
import { deliveryStore } from './deliveries.ts'
import { translated } from './faults.ts'
import { journalStore } from './journal.ts'
import { organizationStore } from './organizations.ts'
import { outboxStore } from './outbox.ts'
import { pauseStore } from './pauses.ts'
import { policyStore } from './policies.ts'
import { principalStore } from './principals.ts'
import { providerStore } from './providers.ts'
import { quotaStore } from './quotas.ts'
import { runEnder } from './run-end.ts'
import { runTools } from './run-tools.ts'
import { runStore } from './runs.ts'
import { sessionStore } from './sessions.ts'
import { settingStore } from './settings.ts'
import { tokenStore } from './tokens.ts'
import { Audience, webhookStore } from './webhooks.ts'

/** Bulks under way at once. More keep the server busier with smaller bulks; fewer leave it idle while it waits for its disk. */
const bulks = 6

export interface Assembled {
  readonly aggregates: Omit<Store, 'ping' | 'close'>
  /** Resolves when nothing is left to do that no caller waits for. */
  idle(): Promise<void>
}

/** The aggregates over collections that are there. */
export function assemble(collections: Collections, clock: Clock, ids: Ids): Assembled {
  const bulkLimit = pLimit(bulks)
  const audience = new Audience(collections, clock)
  const tools = runTools(collections, bulkLimit, clock, audience)
  const ender = runEnder(tools, bulkLimit)
  return {
    aggregates: {
      organizations: translated(organizationStore(collections)),
      policies: translated(policyStore(collections)),
      quotas: translated(quotaStore(collections)),
      providers: translated(providerStore(collections)),
      principals: translated(principalStore(collections)),
      connections: translated(connectionStore(collections)),
      tokens: translated(tokenStore(collections)),
      artifacts: translated(artifactStore(collections)),
      alerts: translated(alertStore({ collections, bulkLimit, clock, ids })),
      sessions: translated(sessionStore(collections)),
      runs: translated(runStore(tools, ender.end)),
      journal: translated(journalStore(collections, tools.insertJournal, () => ids.uuid())),
      cases: translated(caseStore(collections, tools.recordCase)),
      decisions: translated(decisionStore(collections, audience)),
      pauses: translated(pauseStore(collections)),
      settings: translated(settingStore(collections)),
      webhooks: translated(webhookStore(collections, audience)),
      outbox: translated(outboxStore(collections)),
      deliveries: translated(deliveryStore(collections)),
    },
    idle: () => ender.idle(),
  }
}
