import type { Store } from '../port/index.ts'
import { organizationTable, providerTable } from './access/organizations.ts'
import { principalTable } from './access/principals.ts'
import { settingTable } from './access/settings.ts'
import { alertTable } from './alerts/alerts.ts'
import { caseTable } from './cases/cases.ts'
import { connectionTable } from './connections/connections.ts'
import { tokenTable } from './connections/tokens.ts'
import { type Probe, probeTable } from './database/probe.ts'
import type { Sql } from './database/sql.ts'
import type { Synchronous } from './database/synchronous.ts'
import { decisionTable } from './decisions/decisions.ts'
import { pauseTable } from './guards/pauses.ts'
import { policyTable } from './guards/policies.ts'
import { quotaTable } from './guards/quotas.ts'
import { journalTable } from './journal/journal.ts'
import { artifactTable } from './playbooks/artifacts.ts'
import { runTable } from './runs/runs.ts'
import { sessionTable } from './runs/sessions.ts'
import { deliveryTable } from './webhooks/deliveries.ts'
import { outboxTable } from './webhooks/outbox.ts'
import { webhookTable } from './webhooks/webhooks.ts'

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
