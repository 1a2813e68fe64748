import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import {
  type Alert,
  AlertStatus,
  type AlertUuid,
  asId,
  type CaseUuid,
  type Digest,
  pinnedPolicy,
  runId,
  type SessionId,
  systemScope,
} from '../../../runtime/domain/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { type Answer, clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
/** Resolves to the alert's UUID when a request begins to wait. */
let began: () => Promise<string>

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
})
beforeEach(() => {
  began = async () => {
    for (;;) {
      const [waiting] = api.waiting.keys()
      if (waiting !== undefined) return waiting
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
})
afterAll(() => api.close())

const alert = { alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME', alert_type: 't' }
const post = (prefer: string, body: object = alert): Promise<Answer> => admin('POST', '/platformapi/alerts', body, { prefer })

/** Completes the investigation of an alert in the store, as a worker would. */
async function investigate(uuid: string): Promise<void> {
  const session = asId<SessionId>(systemIds.uuid())
  await api.store.sessions.open(systemScope, { id: session, host: 'test', pid: 1 })
  const id = asId<AlertUuid>(uuid)
  const [found] = await api.store.alerts.get(systemScope, [id])
  if (found === undefined) throw new Error('no such alert')
  const at = api.clock.now()
  const claim = await api.store.runs.claim(systemScope, {
    run: runId(id, 1),
    alert: id,
    organization: found.organization,
    type: 't',
    attempt: 1,
    session,
    at,
    pins: { playbook: { name: 'p', digest: asId<Digest>('sha256:0') }, playbooks: {}, policy: pinnedPolicy(null), plugins: {}, connections: {} },
    opening: { uuid: asId<CaseUuid>(systemIds.uuid()), title: 'x', severity: 'low', join: null },
  })
  if (claim.kind !== 'claimed') throw new Error(claim.kind)
  const { position } = claim
  await api.store.runs.end(systemScope, {
    run: runId(id, 1),
    epoch: 1,
    position,
    records: [],
    state: 'completed',
    reason: null,
    failure: null,
    retryAt: null,
    at,
    entries: [],
  })
}

test('a POST waits until the investigation has ended, and returns the result', async () => {
  const answer = post('wait=30')
  const uuid = await began()
  await investigate(uuid)
  api.waiting.get(uuid)?.()
  expect(await answer).toMatchObject({
    status: 200,
    headers: { 'preference-applied': 'wait=30' },
    body: { alert_uuid: uuid, investigation_status: 15 },
  })
})

test('a POST waits no longer than requested, and returns the current status', async () => {
  const answer = post('wait=30')
  await began()
  api.clock.advance(29_999)
  expect(api.waiting.size).toBe(1)
  api.clock.advance(1)
  expect((await answer).body.investigation_status).toBeLessThan(15)
  expect(api.waiting.size).toBe(0)
})

test.each([
  ['fails', () => Promise.reject(new TocsinError('store_unavailable', 'MongoDB does not answer.'))],
  ['is silent', () => new Promise<never>(() => {})],
])('after its wait, a POST whose alert is stored gets its 200 even if the store %s', async (_how, get) => {
  const answer = post('wait=30')
  const uuid = await began()
  const broken = vi.spyOn(api.store.alerts, 'get').mockImplementation(get)
  try {
    api.clock.advance(30_000)
    await vi.waitFor(() => expect(broken).toHaveBeenCalled())
    api.clock.advance(1_000)
    expect(await answer).toMatchObject({ status: 200, body: { alert_uuid: uuid, investigation_status: 0 } })
  } finally {
    broken.mockRestore()
  }
})

test('no request waits longer than 300 seconds', async () => {
  const answer = post('wait=86400')
  await began()
  api.clock.advance(300_000)
  expect((await answer).headers['preference-applied']).toBe('wait=300')
})

test('a GET waits too, and returns the run and the case', async () => {
  const { body } = await admin('POST', '/platformapi/alerts', alert)
  const answer = admin('GET', `/platformapi/alerts/${body.alert_id}`, undefined, { prefer: 'wait=5' })
  const uuid = await began()
  await investigate(uuid)
  api.waiting.get(uuid)?.()
  expect((await answer).body).toMatchObject({ investigation_status: 15, runs: [{ state: 'completed' }], case: { title: 'x' } })
  // After the end of the investigation, the answer comes at once.
  const again = await admin('GET', `/platformapi/alerts/${body.alert_id}`, undefined, { prefer: 'wait=5' })
  expect(again).toMatchObject({ headers: { 'preference-applied': 'wait=5' }, body: { investigation_status: 15 } })
})

test.each([
  ['an alert that will not be investigated', 'wait=30', { ...alert, alert_type: undefined }],
  ['zero seconds', 'wait=0', alert],
  ['another preference', 'return=minimal', alert],
  ['a preference that is not a number', 'wait=long', alert],
])('a request does not wait with %s', async (_name, prefer, body) => {
  expect((await post(prefer, body)).status).toBe(200)
  expect(api.waiting.size).toBe(0)
})

describe('after an end was told that reads do not show yet', () => {
  const shown = Promise.withResolvers<void>()
  let other: ReturnType<typeof clientOf>

  beforeAll(async () => {
    other = clientOf(api.app, await api.addKey(['alerts:read', 'alerts:write']))
    const answer = post('wait=30')
    const uuid = asId<AlertUuid>(await began())
    const [found] = await api.store.alerts.get(systemScope, [uuid])
    api.told.shown = shown.promise
    api.waiting.get(uuid)?.({ ...(found as Alert), status: AlertStatus.completed })
    expect((await answer).body).toMatchObject({ investigation_status: 15 })
    api.told.shown = null
  })

  test('only new alerts of the principal that was told do not wait, and other principals do not wait at all', async () => {
    let answered = 0
    const count = async (answer: Promise<Answer>): Promise<number> => {
      const { status } = await answer
      answered += 1
      return status
    }
    const waiting = [
      count(admin('GET', '/platformapi/alerts')),
      count(admin('POST', '/platformapi/alerts/none/retry')),
      count(admin('POST', '/platformapi/alerts', alert, { 'idempotency-key': 'again' })),
    ]
    expect((await post('wait=0')).status).toBe(200)
    expect((await other('GET', '/platformapi/alerts')).status).toBe(200)
    expect((await other('POST', '/platformapi/alerts', alert, { 'idempotency-key': 'other' })).status).toBe(200)
    expect(answered).toBe(0)
    shown.resolve()
    expect(await Promise.all(waiting)).toEqual([200, 404, 200])
    expect((await admin('GET', '/platformapi/alerts')).status).toBe(200)
  })
})

test('waiting ends when the client disconnects', async () => {
  const port = await listening()
  const body = JSON.stringify(alert)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /platformapi/alerts HTTP/1.1\r\nHost: x\r\nCookie: Session=${api.admin}\r\nContent-Type: application/json\r\nPrefer: wait=300\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await began()
  socket.destroy()
  while (api.waiting.size > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('waiting ends with an answer when the server shuts down', async () => {
  const port = await listening()
  const body = JSON.stringify(alert)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /platformapi/alerts HTTP/1.1\r\nHost: x\r\nCookie: Session=${api.admin}\r\nContent-Type: application/json\r\nPrefer: wait=300\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const answered = once(socket, 'data')
  await began()
  await api.app.close()
  expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 /)
})

async function listening(): Promise<number> {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' })
  return (api.app.server.address() as AddressInfo).port
}
