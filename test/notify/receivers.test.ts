import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemScope, type Webhook } from '../../runtime/domain/index.ts'
import { createEgress } from '../../runtime/egress/index.ts'
import { investigated, newAlert, numbersTo, type Tenant } from '../conformance/storage/fixtures.ts'
import { makePki } from '../simulators/pki.ts'
import { Office } from './office.ts'
import { type Answer, status } from './receiver.ts'

let office: Office
let tenant: Tenant
beforeEach(async () => {
  office = await Office.open()
  tenant = await office.tenant()
})
afterEach(() => office.close())

/** Enough for a slow machine. */
const patient = { timeout: 200_000 }
const hours = (count: number): number => count * 3_600_000
async function openCases(count: number, of: Tenant = tenant): Promise<void> {
  for (const _ of numbersTo(count)) await investigated(office.store, of, newAlert(of))
}
/** Returns the only delivery of a webhook. */
async function only(webhook: Webhook) {
  const all = await office.deliveries(webhook)
  expect(all).toHaveLength(1)
  return all[0]!
}

test('a message says what happened, where, and where to read more', async () => {
  const webhook = await office.webhook(tenant, '/in')
  await openCases(1)
  await office.run()
  const [received] = office.receiver.received
  const [theCase] = (await office.store.cases.list(tenant.scope, { after: null, limit: 1 })).items
  expect(JSON.parse(received!.body)).toEqual({
    type: 'case.opened',
    timestamp: new Date(theCase!.createdAt).toISOString(),
    data: {
      organization_code: tenant.code,
      case_id: theCase!.caseId,
      case_uuid: theCase!.uuid,
      title: 'Somebody reported a mail',
      severity: 'medium',
      alert_id: theCase!.alerts[0]!.alertId,
      alert_uuid: theCase!.alerts[0]!.alertUuid,
      path: `/platformapi/cases/${theCase!.caseId}`,
    },
  })
  expect(received!.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Tocsin/1.2.3',
    'webhook-id': `case_opened-${theCase!.uuid}`,
    'webhook-timestamp': String(Math.floor(office.clock.now() / 1000)),
  })
  expect(await only(webhook)).toMatchObject({ state: 'delivered', attempts: 1, lastAttempt: { status: 200, error: null } })
  expect(office.counted).toEqual(['delivered'])
})

test('goes to the webhooks of its organization and to shared ones, and to no others', async () => {
  const other = await office.tenant()
  await office.webhook(tenant, '/mine')
  await office.webhook(other, '/other')
  await office.webhook(null, '/all')
  await office.webhook(tenant, '/elsewhere', { events: ['run.failed'] })
  await openCases(2)
  await openCases(1, other)
  await office.run()
  expect(['/mine', '/other', '/all', '/elsewhere'].map((path) => office.receiver.idsAt(path).length)).toEqual([2, 1, 3, 0])
})

const refusals: readonly (readonly [string, Answer, number])[] = [
  ['500', status(500), 500],
  ['404', status(404), 404],
  ['a redirect, which is not followed', status(302, { location: '/moved' }), 302],
]
test.each(refusals)('%s: retries with growing delays, and gives up after three days', async (_name, answer, code) => {
  office.receiver.answers.set('/in', answer)
  const webhook = await office.webhook(tenant, '/in')
  await openCases(1)
  const waits: number[] = []
  const began = office.clock.now()
  for (;;) {
    await office.run()
    const { state, nextAttemptAt, lastAttempt } = await only(webhook)
    expect(lastAttempt).toMatchObject({ status: code, error: expect.stringContaining(String(code)) })
    if (state === 'dead') break
    waits.push(nextAttemptAt! - office.clock.now())
    office.clock.advance(waits.at(-1)!)
  }
  expect(office.clock.now() - began).toBeGreaterThan(hours(60))
  expect(office.clock.now() - began).toBeLessThanOrEqual(hours(72))
  expect(waits.length).toBeGreaterThan(10)
  expect(waits.length).toBeLessThan(25)
  expect(waits[0]).toBeLessThan(7_000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(hours(10))
  expect(new Set(office.receiver.idsAt('/in')).size).toBe(1)
  expect(office.receiver.idsAt('/moved')).toEqual([])
  expect(office.counted).toEqual([...waits.map(() => 'again'), 'dead'])
})

test('a receiver that was down gets what it missed: the same bodies, with new signatures', async () => {
  office.receiver.answers.set('/in', status(503))
  const webhook = await office.webhook(tenant, '/in')
  await openCases(1)
  await office.run()
  office.receiver.answers.clear()
  office.clock.advance(7_000)
  await office.run()
  expect(await only(webhook)).toMatchObject({ state: 'delivered', attempts: 2 })
  const [first, second] = office.receiver.received
  expect(second!.body).toBe(first!.body)
  expect(second!.headers['webhook-signature']).not.toBe(first!.headers['webhook-signature'])
})

test("respects Retry-After, also for the webhook's other deliveries", async () => {
  office.receiver.answers.set('/in', status(429, { 'retry-after': '600' }))
  await office.webhook(tenant, '/in')
  const standing = office.process()
  await openCases(1)
  await office.run(standing)
  await openCases(1)
  office.clock.advance(599_000)
  await standing.notifier.look()
  await standing.courier.settled()
  expect(office.receiver.received).toHaveLength(1)
  office.receiver.answers.clear()
  office.clock.advance(1_000)
  await office.run(standing)
  expect(office.receiver.received).toHaveLength(3)
})

test('410 disables the webhook, and gives up its waiting deliveries', async () => {
  office.receiver.answers.set('/in', status(410))
  const webhook = await office.webhook(tenant, '/in')
  await openCases(30)
  await office.run()
  expect(await office.store.webhooks.get(systemScope, webhook.id)).toMatchObject({ disabled: 'gone', revision: 2 })
  const all = await office.deliveries(webhook)
  expect(all.map(({ state }) => state)).toEqual(Array(30).fill('dead'))
  expect(new Set(all.map(({ lastAttempt }) => lastAttempt?.error))).toContain('The webhook is disabled.')
  expect(office.receiver.received.length).toBeLessThan(30)
  await openCases(1)
  await office.run()
  expect(await office.deliveries(webhook)).toHaveLength(30)
})

test('sends nothing to a receiver with an untrusted certificate, or to one that does not exist', async () => {
  const distrustful = createEgress({ ca: [makePki().ca], allow: ['127.0.0.1'] }, office.clock)
  const [wrong, down] = [await office.webhook(tenant, '/in'), await office.webhook(tenant, '', { url: 'https://127.0.0.1:1/' })]
  await openCases(1)
  const { courier, notifier } = office.process(office.store, distrustful)
  await notifier.look()
  await courier.settled()
  expect((await only(wrong)).lastAttempt).toMatchObject({ status: null, error: expect.stringContaining('No trusted CA has signed') })
  expect((await only(down)).lastAttempt).toMatchObject({ status: null, error: expect.stringContaining('network: The receiver cannot be reached') })
  expect(office.receiver.received).toEqual([])
  await distrustful.close()
})

test('gives up after ten seconds without an answer, and delays no other receiver', async () => {
  office.receiver.answers.set('/silent', () => undefined)
  const [silent, quick] = [await office.webhook(tenant, '/silent'), await office.webhook(tenant, '/quick')]
  await openCases(40)
  const { courier, notifier } = office.process()
  await notifier.look()
  await expect.poll(async () => (await office.deliveries(quick)).every(({ state }) => state === 'delivered'), patient).toBe(true)
  expect(office.receiver.idsAt('/silent')).toHaveLength(1)
  expect((await office.deliveries(silent)).every(({ attempts }) => attempts === 0)).toBe(true)
  office.clock.advance(10_000)
  const tried = async () => (await office.deliveries(silent)).filter(({ attempts }) => attempts === 1).map(({ lastAttempt }) => lastAttempt?.error)
  await expect.poll(tried, patient).toEqual(['call_timeout: No answer within 10s.'])
  // It has failed, so the next try is a second later, not at once.
  await notifier.look()
  expect(office.receiver.idsAt('/silent')).toHaveLength(1)
  office.clock.advance(1_000)
  await notifier.look()
  await expect.poll(() => office.receiver.idsAt('/silent').length, patient).toBe(2)
  const stopped = courier.stop(2_000)
  office.clock.advance(2_000)
  await stopped
  // The delivery that was running when the process stopped is due again at once. It does not count
  // as a try.
  expect(
    (await office.store.deliveries.lease(systemScope, silent.id, { holder: 'next', duration: 1, limit: 99 })).map(({ attempts }) => attempts),
  ).toContain(0)
})

test('many silent receivers delay a working one only as long as one of them would', async () => {
  office.receiver.answers.set('/silent', () => undefined)
  for (const _ of numbersTo(210)) await office.webhook(tenant, '/silent')
  const quick = await office.webhook(tenant, '/quick')
  await openCases(3)
  const { courier, notifier } = office.process()
  await notifier.look()
  await expect.poll(() => office.receiver.idsAt('/silent').length, patient).toBeGreaterThanOrEqual(199)
  office.clock.advance(10_000)
  await expect.poll(async () => (await office.deliveries(quick)).every(({ state }) => state === 'delivered'), patient).toBe(true)
  const stopped = courier.stop(0)
  office.clock.advance(1)
  await stopped
})

test('uses only the status of an answer that never ends', async () => {
  office.receiver.answers.set('/endless', (response) => {
    response.writeHead(200)
    const more = (): void => {
      if (response.destroyed) return
      response.write('x'.repeat(16_384))
      setImmediate(more)
    }
    more()
  })
  const webhook = await office.webhook(tenant, '/endless')
  await openCases(1)
  await office.run()
  expect(await only(webhook)).toMatchObject({ state: 'delivered', lastAttempt: { status: 200 } })
})

test('delivers a flood of events with few requests at a time', async () => {
  let [now, most] = [0, 0]
  office.receiver.answers.set('/in', (response) => {
    now += 1
    most = Math.max(most, now)
    setImmediate(() => {
      now -= 1
      response.end()
    })
  })
  const webhook = await office.webhook(tenant, '/in')
  await openCases(1_500)
  await office.run()
  expect(new Set(office.receiver.idsAt('/in')).size).toBe(1_500)
  expect(office.receiver.received).toHaveLength(1_500)
  expect(most).toBeLessThanOrEqual(10)
  expect((await office.deliveries(webhook)).every(({ state }) => state === 'delivered')).toBe(true)
})

test('removes delivered messages after 3 days, and those given up after 14', async () => {
  office.receiver.answers.set('/gone', status(410))
  const [told, gone] = [await office.webhook(tenant, '/told'), await office.webhook(tenant, '/gone')]
  await openCases(2)
  const { notifier } = office.process()
  await office.run()
  const left = async (): Promise<number[]> => [(await office.deliveries(told)).length, (await office.deliveries(gone)).length]
  for (const [days, expected] of [
    [2, [2, 2]],
    [2, [0, 2]],
    [11, [0, 0]],
  ] as const) {
    office.clock.advance(hours(24 * days))
    await notifier.prune()
    expect(await left()).toEqual(expected)
  }
})
