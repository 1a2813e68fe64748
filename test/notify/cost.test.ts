import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchFacts } from '../../runtime/notify/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { ended, numbersTo } from '../conformance/storage/fixtures.ts'
import { Office } from './office.ts'

let office: Office
beforeEach(async () => {
  office = await Office.open()
})
afterEach(() => office.close())

/** Wraps the store, and counts the calls of each method. */
function counted(store: Store): { readonly store: Store; readonly calls: ReadonlyMap<string, number> } {
  const calls = new Map<string, number>()
  const wrapped = Object.entries(store).map(([aggregate, methods]) => {
    if (typeof methods !== 'object') return [aggregate, methods]
    const counting = Object.entries(methods as Record<string, (...parameters: unknown[]) => unknown>).map(([name, method]) => [
      name,
      (...parameters: unknown[]) => {
        calls.set(`${aggregate}.${name}`, (calls.get(`${aggregate}.${name}`) ?? 0) + 1)
        return method(...parameters)
      },
    ])
    return [aggregate, Object.fromEntries(counting)]
  })
  return { store: Object.fromEntries(wrapped) as Store, calls }
}

/** Lets time pass in small steps, as short as the interval that gathers events. */
async function pass(milliseconds: number, before: () => void = () => undefined): Promise<void> {
  for (let at = 0; at < milliseconds; at += 100) {
    before()
    office.clock.advance(100)
    for (const _ of numbersTo(5)) await turn()
  }
}

test('without a webhook, looks at the store once a second, whatever happens', async () => {
  const { store, calls } = counted(office.store)
  const { notifier } = office.process(store)
  await pass(10_000, () => {
    for (const _ of numbersTo(50)) notifier.nudge()
  })
  expect([...calls.keys()]).toEqual(['webhooks.enabled'])
  expect(calls.get('webhooks.enabled')).toBeLessThanOrEqual(10)
})

test('with a webhook, delivers events of its own process at once, many together', async () => {
  const tenant = await office.tenant()
  await office.webhook(tenant, '/in', { events: ['run.failed'] })
  const { store, calls } = counted(office.store)
  const { notifier, courier } = office.process(store)
  const watched = watchFacts(office.store, () => notifier.nudge())
  for (const _ of numbersTo(20)) await ended(watched, tenant, 'failed')
  expect(calls.size).toBe(0)
  await pass(100)
  await courier.settled()
  expect(new Set(office.receiver.idsAt('/in')).size).toBe(20)
  expect(calls.get('outbox.pending')).toBe(1)
  expect(calls.get('deliveries.add')).toBe(1)
  expect(calls.get('outbox.clear')).toBe(1)
  await notifier.stop()
})

test('looks by itself every two seconds, and stops when it is stopped', async () => {
  const tenant = await office.tenant()
  const webhook = await office.webhook(tenant, '/in', { events: ['case.opened'] })
  const { notifier, courier } = office.process()
  notifier.start()
  await ended(office.store, tenant)
  await pass(2_000)
  await courier.settled()
  expect(await office.deliveries(webhook)).toMatchObject([{ state: 'delivered' }])
  await notifier.stop()
  await ended(office.store, tenant)
  notifier.nudge()
  await pass(4_000)
  expect(office.receiver.received).toHaveLength(1)
})
