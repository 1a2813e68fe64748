import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asId, deliveryId, type EventId, systemScope, type WebhookId } from '../../../runtime/domain/index.ts'
import { mostWebhooks } from '../../../runtime/notify/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { acme, addTenants } from '../../support/stores/tenants.ts'

const path = '/platformapi/webhooks'
let api: ApiServer
let admin: ReturnType<typeof clientOf>
/** A client whose key is for ACME only. */
let own: ReturnType<typeof clientOf>

beforeEach(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(api.store)
  own = clientOf(api.app, await api.addKey(['webhooks:read', 'webhooks:write'], [acme]))
})
afterEach(() => api.close())

const draft = (parts: object = {}) => ({ url: 'https://soar.example/tocsin?k=1', events: ['decision.opened'], organization_code: 'ACME', ...parts })

test('a new webhook has a secret that is shown once and stored encrypted', async () => {
  const made = await own('POST', path, draft())
  expect(made.status).toBe(201)
  const { secret, ...shown } = made.body
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(shown).toEqual({
    id: expect.any(String),
    organization_code: 'ACME',
    url: 'https://soar.example/tocsin?k=1',
    events: ['decision.opened'],
    description: '',
    enabled: true,
    disabled_because: null,
    previous_secret_until: null,
    revision: 1,
    created_at: api.clock.now(),
    created_by: expect.any(String),
    modified_at: api.clock.now(),
  })
  expect((await own('GET', `${path}/${shown.id}`)).body).toEqual(shown)
  expect((await own('GET', path)).body).toEqual({ items: [shown], next_cursor: null })
  expect(JSON.stringify(await api.store.webhooks.get(systemScope, shown.id))).not.toContain(secret.slice(6))
})

test('a key of one organization cannot create or see webhooks of other organizations or of all', async () => {
  for (const parts of [{ organization_code: null }, { organization_code: undefined }])
    expect((await own('POST', path, draft(parts))).body).toMatchObject({ status: 403, code: 'organization_forbidden' })
  expect((await own('POST', path, draft({ organization_code: 'GLOBEX' }))).body).toMatchObject({ status: 422, code: 'organization_unknown' })
  const others = [await admin('POST', path, draft({ organization_code: null })), await admin('POST', path, draft({ organization_code: 'GLOBEX' }))]
  expect((await own('GET', path)).body.items).toEqual([])
  for (const { body } of others) {
    for (const [method, rest, sent] of [
      ['GET', ''],
      ['PATCH', '', { revision: 1, enabled: false }],
      ['DELETE', ''],
      ['POST', '/secret', {}],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/d/redeliver'],
    ] as const)
      expect((await own(method, `${path}/${body.id}${rest}`, sent)).body).toMatchObject({ status: 404, code: 'webhook_unknown' })
  }
  expect((await admin('GET', path)).body.items).toHaveLength(2)
})

test('a URL that must not be called is refused when a webhook is created or changed', async () => {
  const { body } = await own('POST', path, draft())
  for (const [url, why] of [
    ['http://soar.example/', 'is not HTTPS'],
    ['ftp://soar.example/', 'not HTTPS'],
    ['https://me:pw@soar.example/', 'user name or password'],
    ['https://soar.example/#x', 'fragment'],
    ['soar.example', 'not a URL'],
    ['https://10.0.0.1/', 'is not a public address'],
    ['https://[::1]/', 'is not a public address'],
  ] as const) {
    const refusal = { status: 400, code: 'webhook_invalid', errors: [{ field: 'url', message: expect.stringContaining(why) }] }
    expect((await own('POST', path, draft({ url }))).body).toMatchObject(refusal)
    expect((await own('PATCH', `${path}/${body.id}`, { revision: 1, url })).body).toMatchObject(refusal)
  }
})

test('each organization has its own limit of webhooks, and webhooks of all organizations have theirs', async () => {
  const { body: first } = await own('POST', path, draft({ enabled: false }))
  for (let made = 1; made < mostWebhooks; made += 1) expect((await own('POST', path, draft())).status).toBe(201)
  expect((await own('POST', path, draft())).body).toMatchObject({
    status: 409,
    code: 'webhooks_exceeded',
    detail: `The organization ACME can have no more than ${mostWebhooks} webhooks.`,
  })
  for (const organization_code of ['GLOBEX', null]) expect((await admin('POST', path, draft({ organization_code }))).status).toBe(201)
  expect((await own('DELETE', `${path}/${first.id}`)).status).toBe(204)
  expect((await own('POST', path, draft())).status).toBe(201)
})

test('a change needs the current revision; disabling a webhook gives up its waiting deliveries', async () => {
  const { body: made } = await own('POST', path, draft())
  const event = asId<EventId>('case_opened-1')
  const id = deliveryId(event, made.id)
  await api.store.deliveries.add(systemScope, [{ id, webhook: made.id, organization: acme, event, type: 'case.opened', body: '{}', createdAt: 1 }])
  expect((await own('PATCH', `${path}/${made.id}`, { revision: 2, enabled: false })).body).toMatchObject({ status: 409, code: 'webhook_changed' })
  const changed = await own('PATCH', `${path}/${made.id}`, { revision: 1, enabled: false, events: ['run.failed'], description: 'Tickets' })
  expect(changed.body).toMatchObject({ revision: 2, enabled: false, disabled_because: 'by_hand', events: ['run.failed'], description: 'Tickets' })
  const { body } = await own('GET', `${path}/${made.id}/deliveries?state=dead`)
  expect(body.items).toMatchObject([{ id, event_id: event, state: 'dead', last_error: 'The webhook is disabled.', next_attempt_at: null }])
  expect((await own('POST', `${path}/${made.id}/deliveries/${id}/redeliver`)).body).toMatchObject({ status: 409, code: 'webhook_disabled' })
  await own('PATCH', `${path}/${made.id}`, { revision: 2, enabled: true })
  expect((await own('POST', `${path}/${made.id}/deliveries/${id}/redeliver`)).body).toMatchObject({ state: 'waiting', attempts: 0 })
  const { body: other } = await own('POST', path, draft())
  expect((await own('POST', `${path}/${other.id}/deliveries/${id}/redeliver`)).body).toMatchObject({ status: 404, code: 'delivery_unknown' })
})

test('after a rotation, the previous secret signs until the overlap ends', async () => {
  const { body: made } = await own('POST', path, draft())
  const rotated = await own('POST', `${path}/${made.id}/secret`, { overlap: 60_000 })
  expect(rotated.body).toMatchObject({ revision: 2, previous_secret_until: api.clock.now() + 60_000, secret: expect.stringMatching(/^whsec_/) })
  expect(rotated.body.secret).not.toBe(made.secret)
  expect((await own('GET', `${path}/${made.id}`)).body).not.toHaveProperty('secret')
  api.clock.advance(60_000)
  expect((await own('GET', `${path}/${made.id}`)).body).toMatchObject({ previous_secret_until: null })
  expect((await own('POST', `${path}/${made.id}/secret`, { overlap: 0 })).body).toMatchObject({ revision: 3, previous_secret_until: null })
})

test('reading needs webhooks:read, everything else webhooks:write', async () => {
  const { body: made } = await own('POST', path, draft())
  const [reader, writer] = [clientOf(api.app, await api.addKey(['webhooks:read'])), clientOf(api.app, await api.addKey(['webhooks:write']))]
  for (const rest of ['', `/${made.id}`, `/${made.id}/deliveries`]) {
    expect((await reader('GET', path + rest)).status).toBe(200)
    expect((await writer('GET', path + rest)).body).toMatchObject({ code: 'permission_missing' })
  }
  for (const [method, rest] of [
    ['POST', ''],
    ['PATCH', `/${made.id}`],
    ['DELETE', `/${made.id}`],
    ['POST', `/${made.id}/secret`],
    ['POST', `/${made.id}/test`],
    ['POST', `/${made.id}/deliveries/d/redeliver`],
  ] as const)
    expect((await reader(method, path + rest, {})).body).toMatchObject({ code: 'permission_missing' })
  expect((await writer('DELETE', `${path}/${made.id}`)).status).toBe(204)
})

const unreachable = 'network: The receiver cannot be reached. The log of Tocsin says more.'

test('a test reveals nothing about the network: unknown, forbidden and closed addresses give the same answer', async () => {
  const made = await Promise.all(
    ['https://no-such-name.invalid/', 'https://localhost:1/', 'https://127.0.0.1:1/'].map(
      async (url) => (await own('POST', path, draft({ url }))).body.id,
    ),
  )
  for (const id of made) {
    const { body } = await own('POST', `${path}/${id}/test`)
    expect(body).toMatchObject({ ok: false, status: null, error: unreachable })
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|localhost|ECONN|ENOTFOUND|EAI/)
  }
  // The log tells the operator the reason.
  expect(
    api.log.filter((line) => line.includes('a test of a webhook failed') && /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|does not lead/.test(line)),
  ).toHaveLength(3)
})

test('the webhooks of an organization can be tested at most ten times a minute', async () => {
  api.clock.advance(60_000)
  const { body: made } = await own('POST', path, draft({ url: 'https://127.0.0.1:1/' }))
  const answers = []
  for (let time = 0; time < 12; time += 1) answers.push(await own('POST', `${path}/${made.id}/test`))
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  expect(answers.at(-1)?.body.code).toBe('webhook_tests_exceeded')
  api.clock.advance(60_000)
  expect((await own('POST', `${path}/${made.id}/test`)).status).toBe(200)
  expect((await own('DELETE', `${path}/${made.id}`)).status).toBe(204)
  api.clock.advance(60_000)
})

test('a test uses plain HTTP if the operator allows the host, and reports the answer', async () => {
  const pings: string[] = []
  let answer = 204
  const server: Server = createServer((request, response) => {
    pings.push(`${request.method} ${request.url} ${request.headers['webhook-id']}`)
    request.resume().on('end', () => response.writeHead(answer).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?k=1`
  const { body: made } = await own('POST', path, draft({ url, enabled: false }))
  expect((await own('POST', `${path}/${made.id}/test`)).body).toEqual({ ok: true, status: 204, error: null, took: 0 })
  expect(pings).toEqual([expect.stringMatching(/^POST \/in\?k=1 webhook_ping-/)])
  answer = 500
  expect((await own('POST', `${path}/${made.id}/test`)).body).toMatchObject({ ok: false, status: 500, error: 'It answered 500.' })
  server.close()
  server.closeAllConnections()
  expect((await own('POST', `${path}/${made.id}/test`)).body).toMatchObject({
    ok: false,
    status: null,
    error: unreachable,
  })
  expect((await own('POST', `${path}/${asId<WebhookId>('none')}/test`)).status).toBe(404)
})
