import { afterAll, beforeAll, describe } from 'vitest'
import { actCases, organizationCases, principalCases } from './access/index.ts'
import { alertCases, alertFilterCases, alertListCases, duplicateCases, retryCases } from './alerts/index.ts'
import { caseCases, caseDeskCases, caseMarkCases, joinCases } from './cases/index.ts'
import { agentCases, connectionCases, tokenCases } from './connections/index.ts'
import { decisionCases, severalPeopleCases } from './decisions/index.ts'
import { fetchCases, fetchLeaseCases } from './fetches/index.ts'
import { heldCases, pauseCases, policyCases, quotaCases } from './guards/index.ts'
import type { At, Harness, Opened } from './harness.ts'
import { journalCases } from './journal/index.ts'
import { artifactCases } from './playbooks/index.ts'
import { cancelCases, deathCases, runCases, runListCases, sessionCases, sleepingCases, takeoverCases, undoCases } from './runs/index.ts'
import { scopeCases } from './scope/index.ts'
import { statisticsCases } from './statistics/index.ts'
import { deliveryCases, outboxCases, webhookCases } from './webhooks/index.ts'

const aggregates: Readonly<Record<string, (at: At) => void>> = {
  organizations: organizationCases,
  policies: policyCases,
  quotas: quotaCases,
  principals: principalCases,
  acts: actCases,
  connections: connectionCases,
  tokens: tokenCases,
  agents: agentCases,
  artifacts: artifactCases,
  alerts: alertCases,
  'lists of alerts': alertListCases,
  'filters and counts of alerts': alertFilterCases,
  sessions: sessionCases,
  runs: runCases,
  'lists of runs': runListCases,
  takeovers: takeoverCases,
  deaths: deathCases,
  'runs that sleep': sleepingCases,
  'runs that are cancelled': cancelCases,
  'retries that follow by themselves': retryCases,
  'runs that undo others': undoCases,
  journal: journalCases,
  cases: caseCases,
  'marks of cases': caseMarkCases,
  'desks of cases': caseDeskCases,
  'joined cases': joinCases,
  duplicates: duplicateCases,
  decisions: decisionCases,
  'approvals by several people': severalPeopleCases,
  fetches: fetchCases,
  'leases of fetches': fetchLeaseCases,
  webhooks: webhookCases,
  outbox: outboxCases,
  deliveries: deliveryCases,
  statistics: statisticsCases,
  pauses: pauseCases,
  'what pauses hold': heldCases,
  scope: scopeCases,
}

/**
 * Tests what runtime/storage/port/ says, sentence by sentence, for every adapter. All cases share one store.
 * Each creates its own tenants, and reads nothing else.
 */
export function storageConformance(harness: Harness): void {
  describe(`storage conformance: ${harness.name}`, () => {
    let opened: Opened | null = null
    beforeAll(async () => {
      opened = await harness.open()
    })
    afterAll(async () => {
      await opened?.close()
    })
    const at: At = () => {
      if (!opened) throw new Error('The store is not open.')
      return opened
    }
    for (const [name, cases] of Object.entries(aggregates)) describe(name, () => cases(at))
  })
}
