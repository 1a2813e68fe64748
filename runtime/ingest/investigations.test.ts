import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { type Alert, type AlertUuid, asId, type Principal } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import { createInvestigations } from './investigations.ts'

const principal = { id: 'p', name: 'ada', organizations: 'all' } as unknown as Principal

/** Asks for another investigation of an alert with this many retries. */
function retried(retryCount: number): Promise<unknown> {
  const alert = { uuid: 'a', alertId: 'ACME-EDR-1', type: 't', status: 20, retryCount, case: null } as unknown as Alert
  const store = {
    alerts: { get: async () => [alert], retry: async () => ({ retried: true, alert: { ...alert, retryCount: retryCount + 1 } }) },
    runs: { ofAlert: async () => [] },
  } as unknown as Store
  const handOver = { handOver: () => undefined } as unknown as Parameters<typeof createInvestigations>[1]
  const watch = { ended: () => Promise.reject(new Error('nobody waits')), shown: () => null }
  return createInvestigations(store, handOver, new ManualClock(), watch).retry(principal, asId<AlertUuid>('a'))
}

test('an alert is investigated 100 times at most', async () => {
  expect(await retried(98)).toMatchObject({ alert: { retryCount: 99 } })
  await expect(retried(99)).rejects.toMatchObject({
    code: 'alert_not_retriable',
    message: expect.stringContaining('100 times'),
    remedy: 'Post the alert again.',
  })
})
