import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createAllowList, serveTunnel, signIn, systemNames, type Tunnel } from '../../../runtime/relay/agent/index.ts'
import { mostAgents, tokenLife, tunnelPath } from '../../../runtime/relay/index.ts'
import { protocol } from '../../../runtime/relay/link/index.ts'
import { Target } from '../../relay/support/target.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { acme, addTenants } from '../../support/stores/tenants.ts'
import { until } from '../../support/until.ts'

const path = '/platformapi/agents'
let api: ApiServer
let admin: ReturnType<typeof clientOf>
/** A client whose key is for ACME only. */
let own: ReturnType<typeof clientOf>
let target: Target
let tunnels: Tunnel[] = []

beforeEach(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(api.store)
  own = clientOf(api.app, await api.addKey(['agents:read', 'agents:write'], [acme]))
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  target = await new Target().open()
})
afterEach(async () => {
  for (const tunnel of tunnels) tunnel.cut()
  tunnels = []
  await target.close()
  await api.close()
})

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey

/** Starts an agent. @param headers of its request, as a proxy may add them @throws SignInRefused */
async function connect(privateKey: KeyObject, token: string | null, headers: Record<string, string> = {}): Promise<Tunnel> {
  const { port } = api.app.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}${tunnelPath}`, [protocol], { headers })
  const { wire } = await signIn(socket, { privateKey, token, version: '1.2.3' })
  const tunnel = serveTunnel(wire, { names: systemNames, allow: createAllowList([target.entry]), clock: api.clock, uptime: () => 1, told: () => {} })
  tunnels.push(tunnel)
  return tunnel
}

test('an agent with several tunnels is shown as one: their sums, and since when it is connected', async () => {
  const { id, token } = (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body as { id: string; token: string }
  const key = newKey()
  const since = api.clock.now()
  const first = await connect(key, token)
  api.clock.advance(1_000)
  await connect(key, token)
  const shown = async () => (await own('GET', `${path}/${id}`)).body
  for (let count = 0; count < 3; count++) await own('POST', `${path}/${id}/check`, { host: '127.0.0.1', port: target.port })
  await own('POST', `${path}/${id}/check`, { host: '127.0.0.2', port: target.port })
  expect(await shown()).toMatchObject({ state: 'online', online_since: since, opened: 4, last_error: expect.stringContaining('127.0.0.2') })
  first.leave()
  await until(async () => (await shown())['online_since'] === since + 1_000)
  expect(await shown()).toMatchObject({ state: 'online' })
})

test('a new agent has a token that is shown once, and is stored as a hash only', async () => {
  const made = await own('POST', path, { name: 'plant', organization_code: 'ACME' })
  expect(made.status).toBe(201)
  const { token, ...shown } = made.body
  expect(token).toMatch(/^tsa_[\w-]{43}$/)
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'plant',
    organization_code: 'ACME',
    state: 'enrolling',
    token_expires_at: api.clock.now() + tokenLife,
    enrolled_at: null,
    created_at: api.clock.now(),
    created_by: expect.any(String),
    revoked_at: null,
    last_seen_at: null,
    version: null,
    online_since: null,
    address: null,
    streams: 0,
    opened: 0,
    bytes_sent: 0,
    bytes_received: 0,
    round_trip: null,
    last_error: null,
    last_error_at: null,
    connections: [],
  })
  expect((await own('GET', `${path}/${made.body.id}`)).body).toEqual(shown)
  expect(JSON.stringify(await api.store.agents.byId({ organizations: 'all' }, [made.body.id]))).not.toContain(token)
  expect(api.log.join()).not.toContain(token)
})

test('an agent enrols once, connects again with its key, and is shown online', async () => {
  const { token, id } = (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body
  const key = newKey()
  const first = await connect(key, token)
  const online = (await own('GET', path)).body.items[0]
  expect(online).toMatchObject({ id, state: 'online', version: '1.2.3', address: '127.0.0.1', token_expires_at: null, enrolled_at: api.clock.now() })
  await expect(connect(newKey(), token)).rejects.toMatchObject({ code: 'enrolment_refused' })
  api.clock.advance(60_000)
  first.cut()
  await expect.poll(async () => (await own('GET', `${path}/${id}`)).body.state).toBe('offline')
  // An agent that has gone was here until now, and not when it connected.
  await expect.poll(async () => (await own('GET', `${path}/${id}`)).body.last_seen_at).toBe(api.clock.now())
  // The same token once more: the answer to the enrolment may have been lost.
  await connect(key, token)
  expect((await own('GET', `${path}/${id}`)).body.state).toBe('online')
})

test('an agent without a token, or with an expired one, is refused', async () => {
  await expect(connect(newKey(), null)).rejects.toMatchObject({ code: 'agent_unknown' })
  await expect(connect(newKey(), 'tsa_guess')).rejects.toMatchObject({ code: 'enrolment_refused' })
  const { token } = (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body
  api.clock.advance(tokenLife)
  await expect(connect(newKey(), token)).rejects.toMatchObject({ code: 'enrolment_refused' })
})

test('a revoked agent is cut off at once and cannot come back', async () => {
  const { token, id } = (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body
  const key = newKey()
  const tunnel = await connect(key, token)
  expect((await own('DELETE', `${path}/${id}`)).body).toMatchObject({ state: 'revoked', revoked_at: api.clock.now() })
  await tunnel.gone
  await expect(connect(key, token)).rejects.toMatchObject({ code: 'agent_revoked' })
})

test('an agent with the token of another one than its key names is refused, and told what to do', async () => {
  const create = async () => (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body as { id: string; token: string }
  const [first, second, third] = [await create(), await create(), await create()]
  const key = newKey()
  await connect(key, first.token)
  const hint = expect.stringContaining('--key-file')
  await expect(connect(key, second.token)).rejects.toMatchObject({ code: 'enrolment_refused', message: hint })
  expect((await own('GET', `${path}/${second.id}`)).body).toMatchObject({ state: 'enrolling', enrolled_at: null })
  // The token is not used up.
  await connect(newKey(), second.token)
  // A token that enrols nobody any more means nothing: it may stand in a unit file for years.
  await connect(key, second.token)
  api.clock.advance(tokenLife)
  await connect(key, third.token)
  await own('DELETE', `${path}/${first.id}`)
  await expect(connect(key, (await create()).token)).rejects.toMatchObject({ code: 'agent_revoked', message: hint })
})

test('an agent that another process has revoked is cut off within two seconds', async () => {
  const { token, id } = (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body
  const tunnel = await connect(newKey(), token)
  await api.opened.agents.revoke({ organizations: 'all' }, id, api.clock.now())
  api.clock.advance(2_000)
  await tunnel.gone
})

test('a check says whether the agent can connect, and why not', async () => {
  const { token, id } = (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body
  const check = async (port: number) => (await own('POST', `${path}/${id}/check`, { host: '127.0.0.1', port })).body
  for (const host of ['a b', 'crm.example/x', 'crm@example', ''])
    expect((await own('POST', `${path}/${id}/check`, { host, port: 443 })).body).toMatchObject({ code: 'body_invalid', errors: [{ field: 'host' }] })
  expect(await check(target.port)).toMatchObject({ ok: false, code: 'agent_offline' })
  await connect(newKey(), token)
  expect(await check(target.port)).toMatchObject({ ok: true, code: null, message: null })
  expect(await check(1)).toMatchObject({ ok: false, code: 'agent_refused' })
  expect((await own('GET', `${path}/${id}`)).body).toMatchObject({ opened: 2, last_error: expect.stringContaining('allow-list') })
  // An address in brackets is the address: it is not on the list, rather than no address.
  for (const host of ['[fd00::1]', 'fd00::1'])
    expect((await own('POST', `${path}/${id}/check`, { host, port: 443 })).body).toMatchObject({
      code: 'agent_refused',
      message: expect.stringContaining('[fd00::1]:443'),
    })
})

test('a key of one organization neither sees nor makes agents of others or of the operator', async () => {
  const operators = (await admin('POST', path, { name: 'plant' })).body
  const other = (await admin('POST', path, { name: 'plant', organization_code: 'GLOBEX' })).body
  expect((await own('GET', path)).body.items).toEqual([])
  for (const { id } of [operators, other])
    for (const [method, body] of [['GET'], ['DELETE'], ['POST', { host: 'a', port: 1 }]] as const)
      expect((await own(method, `${path}/${id}${method === 'POST' ? '/check' : ''}`, body)).body.code).toBe('agent_unknown')
  expect((await own('POST', path, { name: 'plant' })).body.code).toBe('organization_forbidden')
  expect((await own('POST', path, { name: 'plant', organization_code: 'GLOBEX' })).body.code).toBe('organization_unknown')
  expect((await admin('GET', path)).body.items).toHaveLength(2)
})

test('an organization has a limited number of agents; revoked ones do not count', async () => {
  const create = () => own('POST', path, { name: 'plant', organization_code: 'ACME' })
  const first = await create()
  for (let count = 1; count < mostAgents; count++) await create()
  expect((await create()).body.code).toBe('agents_exceeded')
  await own('DELETE', `${path}/${first.body.id}`)
  expect((await create()).status).toBe(201)
})

test('any other request to upgrade is answered as if it had not asked', async () => {
  const { port } = api.app.server.address() as AddressInfo
  const headers = { connection: 'Upgrade', upgrade: 'h2c' }
  const status = await new Promise((resolve) => {
    httpRequest({ host: '127.0.0.1', port, path: '/platformapi/version', headers }, (response) => resolve(response.statusCode)).end()
  })
  expect(status).toBe(200)
})

test('a server that stops closes once its agents were asked to go elsewhere, and does not wait for idle tunnels', async () => {
  const { token } = (await own('POST', path, { name: 'plant', organization_code: 'ACME' })).body
  const tunnel = await connect(newKey(), token)
  const closed = api.app.close()
  api.relay.leave()
  await closed
  await tunnel.left
  await tunnel.gone
})

test("the address of an agent is what a trusted proxy says, and nobody else's word", async () => {
  const addressBehind = async (forwarded: string): Promise<unknown> => {
    const { id, token } = (await admin('POST', path, { name: 'plant' })).body
    await connect(newKey(), token, { 'x-forwarded-for': forwarded })
    return until(async () => (await admin('GET', `${path}/${id}`)).body.address)
  }
  expect(await addressBehind('203.0.113.9')).toBe('127.0.0.1')
  await api.close()
  api = await startApi({ trustedProxies: ['127.0.0.0/8'] })
  admin = clientOf(api.app, api.admin)
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  expect(await addressBehind('198.51.100.1, 203.0.113.9')).toBe('203.0.113.9')
  expect(await addressBehind('<b>nonsense</b>')).toBe('127.0.0.1')
})
