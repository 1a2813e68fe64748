import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../runtime/cli/client.ts'
import type { Reply } from '../simulators/faults.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { type Installation, newInstallation } from '../support/processes/installation.ts'
import { TokenSystem } from '../support/token-system.ts'
import { echoesOf, escaped, sings } from './canary.ts'
import { Overheard } from './overheard.ts'

/**
 * A connection with a client secret, over HTTPS. Its access token and its secret are canaries. The
 * system repeats both in every answer. Then everything that Tocsin shows and stores is searched for
 * them.
 */
const system = new TokenSystem()

/** Answers with what the request contained, in every part of the answer. */
function echoing(asked: SimulatedRequest): Reply {
  const sent = [String(asked.headers['authorization'] ?? '').replace('Bearer ', ''), system.clientSecret]
  const echoes = sent.map(echoesOf)
  const headers = Object.fromEntries(
    echoes.flatMap((each, at) => Object.entries(each).map(([name, value]) => [`x-${at}-${name.replace('_', '-')}`, value])),
  )
  if (asked.method === 'PATCH' && system.issued.length === 1) system.expireAll()
  const { status, body } = system.answer(asked)
  const wrong = asked.path.endsWith('/records/wrong')
  const shown = wrong || status > 299 ? { ...echoes, errors: echoes.map((each) => Object.values(each).join(' ')) } : { ...echoes }
  const parsed: unknown = JSON.parse(body)
  const whole =
    asked.path === '/data' || (Array.isArray(parsed) && status > 299)
      ? parsed
      : { ...(parsed as object), ...shown, message: Object.values(echoes[1] ?? {}).join(' ') }
  return { status: wrong && status === 200 ? 400 : status, headers, body: escaped(JSON.stringify(whole)) }
}

let installation: Installation
/** The token endpoint, and the server on another port that the token answer names for requests. */
let door: SimulatorServer
let house: SimulatorServer
let tocsin: Overheard
const send = (method: string, path: string, body?: unknown): Promise<Answer> => tocsin.send(method, path, body)

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  const pki = openPki(folder)
  house = await serveSimulator(echoing, { pki, port: 0, remember: 100 })
  door = await serveSimulator((asked) => system.answer(asked), { pki, port: 0, remember: 100 })
  system.says = { token_type: 'Bearer', instance_url: house.url }
  tocsin = await Overheard.start(installation, {
    TOCSIN_CA_FILE: caFile(folder),
    TOCSIN_PLUGINS: join(import.meta.dirname, '../support/plugins'),
    TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'token-playbooks'),
  })
})
afterAll(async () => {
  await tocsin?.stop()
  await Promise.all([door?.close(), house?.close()])
  await installation?.remove()
})

async function connect(instance: string, credentials: object = {}, more: object = {}): Promise<string> {
  const made = await send('POST', 'connections', {
    instance,
    integration: 'records',
    organization_code: 'ACME',
    credentials: { instance_url: door.url, client_id: system.clientId, client_secret: system.clientSecret, ...credentials },
    ...more,
  })
  return `connections/${String(made['id'])}`
}

const tokenRequests = (): number => door.exchanges.filter(({ path }) => path === '/oauth2/token').length

test('a connection test gets a token, and requests go to the origin in the token answer', async () => {
  const at = await connect('main', {}, { is_default: true })
  expect(await send('POST', `${at}/test`)).toMatchObject({ ok: true, status: 200 })
  expect(tokenRequests()).toBe(1)
  expect(house.exchanges.map(({ path }) => path)).toEqual(['/data', '/data/v67.0/me'])
  expect(house.exchanges[1]?.headers['authorization']).toBe(`Bearer ${system.issued[0]}`)
  expect(await send('POST', `${at}/skills/get_record`, { input: { id: '1' } })).toMatchObject({ ok: true, output: { path: '/data/v67.0/records/1' } })
  expect(tokenRequests()).toBe(1)
})

test('a run continues after its token expires, writes once, and stores neither token nor secret', async () => {
  const { alert, record, journal } = await tocsin.investigate('records', '{"id":"7"}')
  expect(alert).toMatchObject({ investigation_status: 20, runs: [{ failure: { code: 'request_rejected' } }] })
  expect(system.writes).toEqual(['/data/v67.0/records/expire'])
  expect(house.exchanges.filter(({ method }) => method === 'PATCH').map(({ status }) => status)).toEqual([401, 200])
  expect(tokenRequests()).toBe(2)
  for (const kept of [JSON.stringify(record), journal]) expect(kept).toContain('[secret]')
})

test('reports a wrong secret, and does not repeat it', async () => {
  const at = await connect('wrong', { client_secret: `${system.clientSecret}/wrong` })
  const failed = await send('POST', `${at}/test`)
  expect(failed).toMatchObject({ ok: false, status: 400, code: 'token_refused', cause: expect.stringContaining('[secret]') })
  expect(failed['remedy']).toContain('client secret')
  const asked = tokenRequests()
  expect(await send('POST', `${at}/skills/get_record`, { input: { id: '1' } })).toMatchObject({
    ok: false,
    effect: 'not_sent',
    code: 'token_refused',
  })
  expect(tokenRequests()).toBe(asked)
  expect(await send('POST', `${at}/test`)).toMatchObject({ ok: false, code: 'token_refused' })
  expect(tokenRequests()).toBe(asked + 1)
})

test('refuses an origin that the token answer may not name, and sends nothing there', async () => {
  system.says = { token_type: 'Bearer', instance_url: `https://${encodeURIComponent(system.clientSecret)}.evil.example` }
  const at = await connect('elsewhere')
  expect(await send('POST', `${at}/test`)).toMatchObject({
    ok: false,
    code: 'derived_origin_refused',
    remedy: expect.stringContaining('Instance URL'),
  })
})

test("asks for the secret again when the connection's address changes, and gets a new token with it", async () => {
  const at = await connect('moving')
  expect(await send('PATCH', at, { revision: 1, credentials: { instance_url: 'https://elsewhere.example' } })).toMatchObject({
    code: 'connection_invalid',
  })
})

test('no answer, log line, job or file contains the token or the secret, except as ciphertext', async () => {
  for (const path of ['connections', 'alerts', 'cases', 'integrations', 'integrations/records/skills', 'playbooks', 'openapi.json'])
    await send('GET', path)
  expect(system.issued.every((token) => sings(token))).toBe(true)
  expect(sings(system.clientSecret)).toBe(true)
  tocsin.expectSilence()
  await tocsin.expectSilentDisk()
})
