import type { Store } from '../port/index.ts'
import { actTable, organizationTable, principalTable, providerTable, settingTable } from './access/index.ts'
import { agentTable } from './agents/index.ts'
import { alertTable, type SegmentTable, segmentTable } from './alerts/index.ts'
import { type CaseIndex, caseIndex, caseTable } from './cases/index.ts'
import { connectionTable, tokenTable } from './connections/index.ts'
import type { Sql, Synchronous } from './database/index.ts'
import { type Probe, probeTable } from './database/index.ts'
import { decisionTable } from './decisions/index.ts'
import { fetchTable } from './fetches/index.ts'
import { pauseTable, policyTable, quotaTable } from './guards/index.ts'
import { journalTable } from './journal/index.ts'
import { artifactTable } from './playbooks/index.ts'
import { runTable, sessionTable } from './runs/index.ts'
import { statisticsTable } from './statistics/index.ts'
import { deliveryTable, outboxTable, webhookTable } from './webhooks/index.ts'

export type Aggregates = Omit<Store, 'ping' | 'close'>
export type Tables = { readonly [K in keyof Aggregates]: Synchronous<Aggregates[K]> } & {
  readonly segments: SegmentTable
  readonly caseIndex: CaseIndex
  readonly probe: Probe
}

export function openTables(sql: Sql): Tables {
  return {
    organizations: organizationTable(sql),
    policies: policyTable(sql),
    quotas: quotaTable(sql),
    providers: providerTable(sql),
    principals: principalTable(sql),
    acts: actTable(sql),
    agents: agentTable(sql),
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
    fetches: fetchTable(sql),
    settings: settingTable(sql),
    webhooks: webhookTable(sql),
    outbox: outboxTable(sql),
    deliveries: deliveryTable(sql),
    statistics: statisticsTable(sql),
    segments: segmentTable(sql),
    caseIndex: caseIndex(sql),
    probe: probeTable(sql),
  }
}
