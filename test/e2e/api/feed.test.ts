import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import { asId, type OrganizationId, type PauseId, type PrincipalId, systemScope } from '../../../runtime/domain/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { FeedClient } from '../../support/api/feed-client.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let url: string
let acme: OrganizationId
let beta: OrganizationId
const somebody = asId<PrincipalId>(systemIds.uuid())
const open: FeedClient[] = []

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await admin('POST', '/platformapi/organizations', { code: 'BETA', name: 'Beta' })
  const [one, other] = await api.store.organizations.byCode(systemScope, ['ACME', 'BETA'])
  if (!one || !other) throw new Error('no organizations')
  ;[acme, beta] = [one.id, other.id]
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
})
afterEach(() => {
  for (const client of open.splice(0)) client.close()
})
afterAll(() => api.close())

const feed = async (key: string, how: Parameters<typeof FeedClient.open>[2] = {}): Promise<FeedClient> => {
  const client = await FeedClient.open(url, key, how)
  open.push(client)
  return client
}
/** Opens a stream, and waits for its first event. */
const told = async (key: string): Promise<FeedClient> => {
  const client = await feed(key)
  await client.find(({ event }) => event === 'refresh')
  return client
}
const post = async (organization = 'ACME'): Promise<string> => {
  const body = { alert_content: 'x', alert_provider: 'edr', organization_code: organization, alert_type: 't' }
  const alert = String((await admin('POST', '/platformapi/alerts', body)).body.alert_id)
  await api.handedOver()
  return alert
}
/** Lets the feed collect a batch, and send it. */
const batch = async (): Promise<void> => {
  api.clock.advance(200)
  for (let turns = 0; turns < 20; turns++) await turn()
}

test('a stream begins with a refresh, and may be passed on by proxies at once', async () => {
  const client = await told(api.admin)
  expect(client.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  expect(client.raw).toMatch(/^retry: 2000\n\nid: \S+\nevent: refresh\ndata: {}\n\n$/)
})

test('it names what changed, each object once, and tells nothing of its content', async () => {
  const client = await told(api.admin)
  const alert = await post()
  await batch()
  await client.named('alert', alert)
  expect(client.all).toEqual([`alert ${alert} created`])
  expect(client.raw).not.toContain('alert_content')
})

test('it names objects of every kind under the ids of the API', async () => {
  const client = await told(api.admin)
  const { body: pause } = await admin('POST', '/platformapi/pauses', { organization: 'ACME' })
  await admin('DELETE', `/platformapi/pauses/${pause.id}`)
  await admin('POST', '/platformapi/organizations', { code: 'NEW', name: 'New' })
  await admin('POST', '/platformapi/providers', { code: 'siem', name: 'SIEM' })
  const { body: key } = await admin('POST', '/platformapi/keys', { name: 'k' })
  await admin('PUT', '/platformapi/organizations/ACME/policy', { text: 'format: 1\napprovals: { high: none }\n' })
  const { body: webhook } = await admin('POST', '/platformapi/webhooks', {
    url: 'https://receiver.example/x',
    events: ['run.failed'],
    organization_code: 'ACME',
  })
  await admin('DELETE', `/platformapi/webhooks/${webhook.id}`)
  await batch()
  await client.named('webhook', webhook.id)
  expect(client.all.toSorted()).toEqual(
    [
      `key ${key.id} created`,
      'organization NEW created',
      `pause ${pause.id} created`,
      'policy ACME changed',
      'provider siem created',
      `webhook ${webhook.id} removed`,
    ].toSorted(),
  )
  await admin('DELETE', `/platformapi/pauses/${pause.id}`)
  await admin('DELETE', `/platformapi/keys/${key.id}`)
  await batch()
  await client.named('key', key.id)
})

test('a key learns only of organizations and objects that it may read', async () => {
  const analyst = await api.addKey(['alerts:read'], [acme])
  const mine = await told(analyst)
  const all = await told(api.admin)
  const others = await post('BETA')
  const own = await post('ACME')
  await admin('POST', '/platformapi/pauses', { organization: 'ACME' })
  await batch()
  await all.named('alert', others)
  await mine.named('alert', own)
  expect(mine.all).toEqual([`alert ${own} created`])
})

test('pauses of everything are for everybody, and a webhook of all organizations only for operators', async () => {
  const mine = await told(await api.addKey(['pauses:read', 'webhooks:read'], [acme, beta]))
  const pause = asId<PauseId>(systemIds.uuid())
  const paused = { at: 1, principal: somebody, by: 'x', reason: null }
  await admin('POST', '/platformapi/webhooks', { url: 'https://receiver.example/x', events: ['run.failed'] })
  await api.store.pauses.begin(systemScope, { id: pause, target: { kind: 'everything' }, paused, resumed: null })
  await batch()
  await mine.named('pause', pause)
  expect(mine.all).toEqual([`pause ${pause} created`])
})

test('a cut stream continues where it was, with Last-Event-ID or with after', async () => {
  const client = await told(api.admin)
  client.close()
  const missed = await post()
  await batch()
  for (const how of [{ after: client.lastId }, { query: `?after=${client.lastId}` }]) {
    const again = await feed(api.admin, how)
    await again.named('alert', missed)
    expect(again.events.map(({ event }) => event)).toEqual(['change'])
  }
  // With the last id, nothing is missing.
  const client2 = await told(api.admin)
  const next = await feed(api.admin, { after: client2.lastId })
  const alert = await post()
  await batch()
  await next.named('alert', alert)
  expect(next.events.map(({ event }) => event)).toEqual(['change'])
})

test.each([
  ['of another process', 'AAAAAAAAAAAAAAAA'],
  ['that is nonsense', '"\u00ff%00'],
  ['that is empty', ''],
])('an id %s gets a refresh', async (_name, after) => {
  const client = await feed(api.admin, { after })
  await client.find(({ event }) => event === 'refresh')
})

test('an id from before nobody looked for a minute gets a refresh', async () => {
  const client = await told(api.admin)
  client.close()
  await until(() => client.ended)
  await batch()
  api.clock.advance(60_000)
  await post()
  const again = await feed(api.admin, { after: client.lastId })
  await again.find(({ event }) => event === 'refresh')
})

test('an id that was forgotten in a storm gets a refresh, and the storm is summarised', async () => {
  const client = await told(api.admin)
  const before = client.lastId
  for (let round = 0; round < 45; round++) {
    const pauses = Array.from({ length: 100 }, () => asId<PauseId>(systemIds.uuid()))
    const owner = { organization: acme, code: 'ACME' }
    const paused = { at: 1, principal: somebody, by: 'x', reason: null }
    for (const [index, id] of pauses.entries())
      await api.store.pauses.begin(systemScope, { id, target: { kind: 'playbook', playbook: `${round}-${index}`, owner }, paused, resumed: null })
    await batch()
  }
  const again = await feed(api.admin, { after: before })
  await again.find(({ event }) => event === 'refresh')
  expect(again.all).toEqual([])

  const alerts = Array.from({ length: 150 }, () => ({ alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME', alert_type: 't' }))
  await admin('POST', '/platformapi/alerts/batch', { alerts })
  await api.handedOver()
  await batch()
  await client.named('alert', null)
})

test('a silent stream says every 5 seconds that it is open, and where it is', async () => {
  const analyst = await told(await api.addKey(['cases:read'], [beta]))
  const before = analyst.lastId
  await post()
  await batch()
  api.clock.advance(5_000)
  await analyst.until(() => analyst.raw.includes('event: alive'))
  await analyst.until(() => analyst.lastId !== before)
  expect(analyst.all).toEqual([])
  // The stream did not name the change, because it belongs to another organization. A reader that comes back does not get it either.
  const again = await feed(await api.addKey(['cases:read'], [beta]), { after: analyst.lastId })
  api.clock.advance(5_000)
  await again.until(() => again.raw.includes('event: alive'))
  expect(again.events.map(({ event }) => event)).toEqual(['alive'])
})

test('revoking the key ends its streams at once, and no others', async () => {
  const { body: key } = await admin('POST', '/platformapi/keys', { name: 'k', scopes: ['alerts:read'] })
  const revoked = await told(key.key)
  const other = await told(api.admin)
  await admin('DELETE', `/platformapi/keys/${key.id}`)
  await batch()
  await until(() => revoked.ended)
  expect(other.ended).toBe(false)
  await expect(feed(key.key)).rejects.toThrow(/^Error: 401 |401 /)
})

test('a key that was revoked unnoticed ends its stream at the next sign of life', async () => {
  const { body: key } = await admin('POST', '/platformapi/keys', { name: 'k', scopes: ['alerts:read'] })
  const client = await told(key.key)
  await api.opened.principals.revokeKey(systemScope, key.id, 1)
  api.clock.advance(15_000)
  await until(() => client.ended)
})

test('it needs a key, and a scope that reads something', async () => {
  await expect(feed('nonsense')).rejects.toThrow('key_rejected')
  await expect(feed(await api.addKey(['alerts:write']))).rejects.toThrow('permission_missing')
  const { status, body } = await clientOf(api.app, null)('GET', '/platformapi/feed')
  expect([status, body.code]).toEqual([401, 'key_missing'])
  expect((await admin('GET', `/platformapi/feed?after=${'x'.repeat(201)}`)).body.code).toBe('query_invalid')
  expect((await admin('GET', '/platformapi/feed?nonsense=1')).body.code).toBe('query_invalid')
  expect((await api.app.inject({ method: 'HEAD', url: '/platformapi/feed', headers: { cookie: `Session=${api.admin}` } })).statusCode).toBe(404)
})

test('one principal has 30 streams at most, and a closed one makes room', async () => {
  const key = await api.addKey(['alerts:read'], [acme])
  const clients = await Promise.all(Array.from({ length: 30 }, () => feed(key)))
  await expect(feed(key)).rejects.toThrow('feed_full')
  await told(await api.addKey(['alerts:read'], [acme]))
  clients[0]?.close()
  await until(async () => {
    try {
      return await feed(key)
    } catch {
      return false
    }
  })
})

test('clients that go away while their key is checked leave no stream open', async () => {
  const key = await api.addKey(['alerts:read'], [acme])
  const client = await told(key)
  client.close()
  await until(() => client.ended)
  // The key is looked up again.
  api.clock.advance(2_000)
  const go = Promise.withResolvers<void>()
  const { keyByHash } = api.store.principals
  const asked = vi.spyOn(api.store.principals, 'keyByHash').mockImplementation(async (...parameters) => {
    await go.promise
    return keyByHash(...parameters)
  })
  let arrived = 0
  const count = (): void => {
    arrived += 1
  }
  api.app.server.on('request', count)
  const before = await connections()
  const sockets = Array.from({ length: 30 }, () => connect((api.app.server.address() as AddressInfo).port, '127.0.0.1'))
  for (const socket of sockets) socket.write(`GET /platformapi/feed HTTP/1.1\r\nHost: x\r\nCookie: Session=${key}\r\n\r\n`)
  await until(() => arrived === sockets.length && asked.mock.calls.length > 0)
  for (const socket of sockets) socket.destroy()
  await until(async () => (await connections()) <= before)
  go.resolve()
  asked.mockRestore()
  api.app.server.off('request', count)
  await told(key)
})

test('a reader that takes nothing is cut, and costs no memory until then', async () => {
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET /platformapi/feed HTTP/1.1\r\nHost: x\r\nCookie: Session=${api.admin}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  let closed = false
  socket.once('close', () => {
    closed = true
  })
  expect(await connections()).toBe(1)
  // Goes on until the buffers of both sockets are full, and the server gives up.
  for (let round = 0; (await connections()) > 0 && round < 5_000; round++) {
    for (let index = 0; index < 100; index++) {
      const id = `${round}-${index}-${'x'.repeat(2_000)}`
      api.feed.note([{ kind: 'known', change: { object: 'pause', id, change: 'created', of: [acme] } }])
    }
    await batch()
  }
  expect(await connections()).toBe(0)
  socket.resume()
  await until(() => closed)
})

test('the server closes although streams are open', async () => {
  const client = await told(api.admin)
  await api.app.close()
  await until(() => client.ended)
})

/** How many connections the server has. */
function connections(): Promise<number> {
  return new Promise((resolve) => api.app.server.getConnections((_, count) => resolve(count)))
}

async function until<T>(look: () => T | Promise<T>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found) return found
    await turn()
  }
}
