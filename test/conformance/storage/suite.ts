import { afterAll, beforeAll, describe } from 'vitest'
import { organizationCases } from './access/organizations.ts'
import { principalCases } from './access/principals.ts'
import { alertListCases } from './alerts/alert-lists.ts'
import { alertCases } from './alerts/alerts.ts'
import { duplicateCases } from './alerts/duplicates.ts'
import { retryCases } from './alerts/retries.ts'
import { caseMarkCases } from './cases/case-marks.ts'
import { caseCases } from './cases/cases.ts'
import { joinCases } from './cases/joins.ts'
import { connectionCases } from './connections/connections.ts'
import { tokenCases } from './connections/tokens.ts'
import { decisionCases } from './decisions/decisions.ts'
import { heldCases } from './guards/held.ts'
import { pauseCases } from './guards/pauses.ts'
import { policyCases } from './guards/policies.ts'
import { quotaCases } from './guards/quotas.ts'
import type { At, Harness, Opened } from './harness.ts'
import { journalCases } from './journal/journal.ts'
import { artifactCases } from './playbooks/artifacts.ts'
import { cancelCases } from './runs/cancels.ts'
import { deathCases } from './runs/deaths.ts'
import { runListCases } from './runs/run-lists.ts'
import { runCases } from './runs/runs.ts'
import { sessionCases } from './runs/sessions.ts'
import { sleepingCases } from './runs/sleeping.ts'
import { takeoverCases } from './runs/takeovers.ts'
import { undoCases } from './runs/undos.ts'
import { scopeCases } from './scope/index.ts'
import { deliveryCases } from './webhooks/deliveries.ts'
import { outboxCases } from './webhooks/outbox.ts'
import { webhookCases } from './webhooks/webhooks.ts'

const aggregates: Readonly<Record<string, (at: At) => void>> = {
  organizations: organizationCases,
  policies: policyCases,
  quotas: quotaCases,
  principals: principalCases,
  connections: connectionCases,
  tokens: tokenCases,
  artifacts: artifactCases,
  alerts: alertCases,
  'lists of alerts': alertListCases,
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
  'joined cases': joinCases,
  duplicates: duplicateCases,
  decisions: decisionCases,
  webhooks: webhookCases,
  outbox: outboxCases,
  deliveries: deliveryCases,
  pauses: pauseCases,
  'what pauses hold': heldCases,
  scope: scopeCases,
}

/**
 * What runtime/storage/port/ says, sentence by sentence, for every adapter. All cases share one store; each makes tenants of its
 * own, and looks at nothing else.
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
