import { expect } from 'vitest'
import type { Alert } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import { alertNow, everyone, type Tenant } from '../fixtures.ts'

/** Checks that the alert has one case, and that everything that names the case agrees. */
export async function consistentCase(store: Store, tenant: Tenant, alert: Alert): Promise<void> {
  const { items } = await store.cases.list(everyone, { organizations: [tenant.id], after: null, limit: 9 })
  expect(items).toHaveLength(1)
  const [only] = items
  expect(only?.alerts).toEqual([{ alertId: alert.alertId, alertUuid: alert.uuid }])
  expect(await alertNow(store, alert.uuid)).toMatchObject({ case: only?.uuid, caseId: only?.caseId, investigator: 'phishing-reported' })
  for (const run of await store.runs.ofAlert(everyone, alert.uuid)) expect([run.case, run.caseId]).toEqual([only?.uuid, only?.caseId])
  const timeline = await wholeTimeline(store, everyone, only!.uuid)
  expect(timeline.filter(({ body }) => body.kind === 'opened')).toHaveLength(1)
}
