import { afterEach, expect, test } from 'vitest'
import { closedAs, systemScope } from '../../runtime/domain/index.ts'
import type { Egress } from '../../runtime/egress/index.ts'
import { newDecision } from '../conformance/storage/decisions/decisions.ts'
import { ended } from '../conformance/storage/fixtures.ts'
import { Crash } from '../engine/support/harness.ts'
import { Death, mortal } from '../engine/support/mortal-store.ts'
import { Office } from './office.ts'

/**
 * The process that delivers webhooks dies at each of its operations on the store and the network.
 * Another process continues.
 */
let office: Office
afterEach(() => office.close())

/** Makes the events to deliver: a case, a failed run, a decision that opens and closes. */
async function facts(): Promise<{ readonly expected: readonly string[] }> {
  const tenant = await office.tenant()
  await office.webhook(tenant, '/a')
  await office.webhook(null, '/b')
  const { claimed } = await ended(office.store, tenant, 'failed')
  const decision = await office.store.decisions.open(systemScope, newDecision(tenant))
  await office.store.decisions.revise(systemScope, closedAs(decision, 'expired', office.clock.now()))
  const { run } = claimed
  const expected = [`case_opened-${run.case}`, `run_failed-${run.id}`, `decision_opened-${decision.id}`, `decision_closed-${decision.id}`]
  return { expected: expected.sort() }
}

function mortalEgress(egress: Egress, death: Death): Egress {
  return { ...egress, open: (request, signal) => death.attempt(() => egress.open(request, signal)) }
}

/** Returns whether the process that died had more to do. */
async function diesAfter(count: number, lastHappens: boolean): Promise<boolean> {
  office = await Office.open()
  const { expected } = await facts()
  let hit = false
  const death = new Death(count, lastHappens)
  const noticed = {
    attempt: <T>(act: () => T | Promise<T>) =>
      death.attempt(act).catch((error: unknown) => {
        hit ||= error instanceof Crash
        throw error
      }),
  } as Death
  const { courier, notifier } = office.process(mortal(office.store, noticed), mortalEgress(office.egress, noticed))
  await notifier.look().catch(() => undefined)
  await courier.settled()
  // The dead process's leases expire.
  office.clock.advance(31_000)
  await office.run()
  for (const path of ['/a', '/b']) expect([...new Set(office.receiver.idsAt(path))].sort()).toEqual(expected)
  expect(await office.store.outbox.pending(systemScope, 99)).toEqual([])
  const bodies = new Map<string, string>()
  for (const { headers, body } of office.receiver.received) {
    const id = String(headers['webhook-id'])
    expect(body).toBe(bodies.get(id) ?? body)
    bodies.set(id, body)
  }
  if (!hit) expect(office.receiver.received).toHaveLength(2 * expected.length)
  return hit
}

test.each([false, true])(
  'whenever it dies (what it is doing happens: %s), all is delivered, under the same ids and with the same bodies',
  async (lastHappens) => {
    let deaths = 0
    for (let count = 1; await diesAfter(count, lastHappens); count++) {
      deaths += 1
      await office.close()
    }
    // Reading, making, clearing and leasing, then two operations for each of eight deliveries.
    expect(deaths).toBeGreaterThan(20)
  },
)

test('two processes that look at the same time deliver each event once', async () => {
  office = await Office.open()
  const { expected } = await facts()
  await Promise.all([office.run(), office.run()])
  for (const path of ['/a', '/b']) expect(office.receiver.idsAt(path).sort()).toEqual(expected)
})
