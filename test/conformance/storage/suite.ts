import { afterAll, beforeAll, describe } from 'vitest'
import { alertListCases } from './alert-lists.ts'
import { alertCases } from './alerts.ts'
import { artifactCases } from './artifacts.ts'
import { cancelCases } from './cancels.ts'
import { caseMarkCases } from './case-marks.ts'
import { caseCases } from './cases.ts'
import { connectionCases } from './connections.ts'
import { deathCases } from './deaths.ts'
import { decisionCases } from './decisions.ts'
import { deliveryCases } from './deliveries.ts'
import { duplicateCases } from './duplicates.ts'
import type { At, Harness, Opened } from './harness.ts'
import { heldCases } from './held.ts'
import { joinCases } from './joins.ts'
import { journalCases } from './journal.ts'
import { organizationCases } from './organizations.ts'
import { outboxCases } from './outbox.ts'
import { pauseCases } from './pauses.ts'
import { policyCases } from './policies.ts'
import { principalCases } from './principals.ts'
import { quotaCases } from './quotas.ts'
import { retryCases } from './retries.ts'
import { runListCases } from './run-lists.ts'
import { runCases } from './runs.ts'
import { scopeCases } from './scope.ts'
import { sessionCases } from './sessions.ts'
import { sleepingCases } from './sleeping.ts'
import { takeoverCases } from './takeovers.ts'
import { tokenCases } from './tokens.ts'
import { undoCases } from './undos.ts'
import { webhookCases } from './webhooks.ts'

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
