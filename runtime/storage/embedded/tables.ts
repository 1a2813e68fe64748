import type { Store } from '../port.ts'
import { alertTable } from './alerts.ts'
import { artifactTable } from './artifacts.ts'
import { caseTable } from './cases.ts'
import { connectionTable } from './connections.ts'
import { decisionTable } from './decisions.ts'
import { deliveryTable } from './deliveries.ts'
import { journalTable } from './journal.ts'
import { organizationTable, providerTable } from './organizations.ts'
import { outboxTable } from './outbox.ts'
import { pauseTable } from './pauses.ts'
import { policyTable } from './policies.ts'
import { principalTable } from './principals.ts'
import { type Probe, probeTable } from './probe.ts'
import { quotaTable } from './quotas.ts'
import { runTable } from './runs.ts'
import { sessionTable } from './sessions.ts'
import { settingTable } from './settings.ts'
import type { Sql } from './sql.ts'
import type { Synchronous } from './synchronous.ts'
import { tokenTable } from './tokens.ts'
import { webhookTable } from './webhooks.ts'

export type Aggregates = Omit<Store, 'ping' | 'close'>
export type Tables = { readonly [K in keyof Aggregates]: Synchronous<Aggregates[K]> } & { readonly probe: Probe }

export function openTables(sql: Sql): Tables {
  return {
    organizations: organizationTable(sql),
    policies: policyTable(sql),
    quotas: quotaTable(sql),
    providers: providerTable(sql),
    principals: principalTable(sql),
    connections: connectionTable(sql),
    tokens: tokenTable(sql),
    artifacts: artifactTable(sql),
    alerts: alertTable(sql),
    sessions: sessionTable(sql),
    runs: runTable(sql),
    journal: journalTable(sql),
    cases: caseTable(sql),
    decisions: decisionTable(sql),
    pauses: pauseTable(sql),
    settings: settingTable(sql),
    webhooks: webhookTable(sql),
    outbox: outboxTable(sql),
    deliveries: deliveryTable(sql),
    probe: probeTable(sql),
  }
}
