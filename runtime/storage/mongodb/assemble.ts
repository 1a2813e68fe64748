import pLimit from 'p-limit'
import type { Clock, Ids } from '../../domain/index.ts'
import type { Store } from '../port/index.ts'
import { organizationStore } from './access/organizations.ts'
import { principalStore } from './access/principals.ts'
import { providerStore } from './access/providers.ts'
import { settingStore } from './access/settings.ts'
import { alertStore } from './alerts/alerts.ts'
import { caseStore } from './cases/cases.ts'
import { translated } from './client/faults.ts'
import { connectionStore } from './connections/connections.ts'
import { tokenStore } from './connections/tokens.ts'
import type { Collections } from './database/collections.ts'
import { decisionStore } from './decisions/decisions.ts'
import { pauseStore } from './guards/pauses.ts'
import { policyStore } from './guards/policies.ts'
import { quotaStore } from './guards/quotas.ts'
import { journalStore } from './journal/journal.ts'
import { artifactStore } from './playbooks/artifacts.ts'
import { runEnder } from './runs/run-end.ts'
import { runTools } from './runs/run-tools.ts'
import { runStore } from './runs/runs.ts'
import { sessionStore } from './runs/sessions.ts'
import { deliveryStore } from './webhooks/deliveries.ts'
import { outboxStore } from './webhooks/outbox.ts'
import { Audience, webhookStore } from './webhooks/webhooks.ts'

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
