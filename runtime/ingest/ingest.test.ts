import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { systemIds } from '../config/index.ts'
import { asId, type OrganizationId, type Principal, type PrincipalId, type SentAlert } from '../domain/index.ts'
import { Arrivals, noTurns } from '../fairness/index.ts'
import type { InsertedAlert, Store } from '../storage/index.ts'
import type { HandOver } from './hand-over.ts'
import { createIngest } from './ingest.ts'
import { RecentAlerts } from './recent-alerts.ts'

/** What happened, in order. The store tells of each insert when it is sent, as the embedded one does. */
function stage() {
  const happened: string[] = []
  const durable = Promise.withResolvers<void>()
  const insert: Store['alerts']['insert'] = async (_scope, alerts, sent) => {
    const inserted = alerts.map((alert) => ({ alert, fresh: true }) as unknown as InsertedAlert)
    sent?.(Promise.resolve(inserted))
    await durable.promise
    happened.push('durable')
    return inserted
  }
  const store = {
    alerts: { insert },
    organizations: { byCode: async () => [{ id: asId<OrganizationId>('acme'), code: 'ACME' }] },
    providers: { byCode: async () => [{ code: 'EDR' }] },
  } as unknown as Store
  const handedOver = (alerts: readonly SentAlert[]): void => void happened.push(...alerts.map(() => 'handed over'))
  const handOver = { handOver: handedOver, handOverAhead: handedOver } as unknown as HandOver
  const ingest = createIngest({
    store,
    handOver,
    recent: new RecentAlerts(),
    clock: new ManualClock(),
    ids: systemIds,
    turns: noTurns,
    arrivals: new Arrivals(new ManualClock()),
  })
  const ada: Principal = { id: asId<PrincipalId>('ada'), name: 'ada', permissions: [], organizations: 'all', createdAt: 0, createdBy: null }
  const accept = async (alertContent: string): Promise<void> => {
    const submission = { alertContent, alertProvider: 'EDR', organizationCode: 'ACME', alertType: 'theft', createdAtSource: null }
    await ingest.accept(ada, submission, null, null)
    happened.push('acknowledged')
  }
  return { happened, durable, accept }
}

test.each([
  ['an alert that this process remembers', '{}', ['handed over', 'durable', 'acknowledged']],
  ['a large alert, which is read from the store,', JSON.stringify('x'.repeat(16 * 1024)), ['durable', 'handed over', 'acknowledged']],
])('%s is handed over before it is durable or after, and acknowledged only after', async (_what, content, expected) => {
  const { happened, durable, accept } = stage()
  const accepted = accept(content)
  await new Promise((resolve) => setImmediate(resolve))
  durable.resolve()
  await accepted
  expect(happened).toEqual(expected)
})
