import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { type Running, start } from '../../runtime/cli/start.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { asId, systemScope } from '../../runtime/domain/index.ts'
import type { Job } from '../../runtime/queue/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import type { Reply } from '../simulators/faults.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { type Installation, newInstallation } from '../support/installation.ts'
import { TokenSystem } from '../support/token-system.ts'
import { echoesOf, escaped, sings } from './canary.ts'

/**
 * A connection with a client secret, over HTTPS: its access token and its secret are canaries, and the system repeats both in whatever it
 * answers; then everything that Tocsin shows and keeps is searched for them.
 */
const system = new TokenSystem()

/** What the system answers, with what it was sent in every part of it. */
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
/** Where tokens are given, and, on another port, where requests go because the token answer says so. */
let door: SimulatorServer
let house: SimulatorServer
let running: Running
let admin: Target
const seen: [where: string, text: string][] = []
const log: string[] = []
const jobs: Job[] = []

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  const pki = openPki(folder)
  house = await serveSimulator(echoing, { pki, port: 0, remember: 100 })
  door = await serveSimulator((asked) => system.answer(asked), { pki, port: 0, remember: 100 })
  system.says = { token_type: 'Bearer', instance_url: house.url }
  const settings = {
    ...installation.environment,
    TOCSIN_CA_FILE: caFile(folder),
    TOCSIN_PLUGINS: join(import.meta.dirname, '../support/plugins'),
    TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'token-playbooks'),
    TOCSIN_LOG_LEVEL: 'trace',
  }
  const logger = createLogger({ level: 'trace', destination: { write: (line) => void log.push(line) } })
  running = await start(readConfig(settings, { port: '0' }), { api: true, worker: true }, logger)
  admin = { url: running.url, key: installation.adminKey }
  const { queue } = running.parts
  for (const method of ['enqueue', 'enqueueAgain'] as const) {
    const handedOver = queue[method].bind(queue)
    queue[method] = (more) => {
      jobs.push(...more)
      return handedOver(more)
    }
  }
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await request(admin, 'POST', '/platformapi/providers', { code: 'P', name: 'P' })
})
let stopped = false
afterAll(async () => {
  if (!stopped) await running?.stop()
  await Promise.all([door?.close(), house?.close()])
  await installation?.remove()
})

/** A request whose whole answer, headers included, is noted. */
async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${admin.url}/platformapi/${path}`, {
    method,
    headers: { cookie: `Session=${admin.key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  seen.push([`${method} ${path} ${response.status}`, `${JSON.stringify([...response.headers])}\n${text}`])
  return text === '' ? {} : (JSON.parse(text) as Answer)
}

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

test('a connection is proved by a token of its own, and requests go where the token answer says', async () => {
  const at = await connect('main', {}, { is_default: true })
  expect(await send('POST', `${at}/test`)).toMatchObject({ ok: true, status: 200 })
  expect(tokenRequests()).toBe(1)
  expect(house.exchanges.map(({ path }) => path)).toEqual(['/data', '/data/v67.0/me'])
  expect(house.exchanges[1]?.headers['authorization']).toBe(`Bearer ${system.issued[0]}`)
  expect(await send('POST', `${at}/skills/get_record`, { input: { id: '1' } })).toMatchObject({ ok: true, output: { path: '/data/v67.0/records/1' } })
  expect(tokenRequests()).toBe(1)
})

test('a run goes through an expired token, writes once, and keeps nothing of the secrets', async () => {
  const body = { alert_content: '{"id":"7"}', alert_provider: 'P', organization_code: 'ACME', alert_type: 'records' }
  const { alert_uuid } = await send('POST', 'alerts', body)
  const ended = await request(admin, 'GET', `/platformapi/alerts/${String(alert_uuid)}`, undefined, { prefer: 'wait=50' })
  expect(ended).toMatchObject({ investigation_status: 20, runs: [{ failure: { code: 'request_rejected' } }] })
  expect(system.writes).toEqual(['/data/v67.0/records/expire'])
  expect(house.exchanges.filter(({ method }) => method === 'PATCH').map(({ status }) => status)).toEqual([401, 200])
  expect(tokenRequests()).toBe(2)
  const { case_id } = await send('GET', `alerts/${String(alert_uuid)}`)
  expect(JSON.stringify(await send('GET', `cases/${String(case_id)}`))).toContain('[secret]')
  const { journal, runs } = running.parts.store
  const [run] = await runs.ofAlert(systemScope, asId(String(alert_uuid)))
  if (!run) throw new Error('there is no run')
  const entries = JSON.stringify(await journal.read(systemScope, run.id))
  expect(entries).toContain('[secret]')
  seen.push(['journal', entries])
})

test('a wrong secret is told of, and not repeated', async () => {
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

test('an address that the token answer may not name is refused, and nothing is sent there', async () => {
  system.says = { token_type: 'Bearer', instance_url: `https://${encodeURIComponent(system.clientSecret)}.evil.example` }
  const at = await connect('elsewhere')
  expect(await send('POST', `${at}/test`)).toMatchObject({
    ok: false,
    code: 'derived_origin_refused',
    remedy: expect.stringContaining('Instance URL'),
  })
})

test('a token whose connection changes its address is asked for with the secret given again', async () => {
  const at = await connect('moving')
  expect(await send('PATCH', at, { revision: 1, credentials: { instance_url: 'https://elsewhere.example' } })).toMatchObject({
    code: 'connection_invalid',
  })
})

test('nothing that was answered, logged, queued or written down has a token or the secret but their ciphertexts', async () => {
  for (const path of ['connections', 'alerts', 'cases', 'integrations', 'integrations/records/skills', 'playbooks', 'openapi.json'])
    await send('GET', path)
  seen.push(['jobs', JSON.stringify(jobs)], ['log', log.join('\n')])
  expect(jobs.length).toBeGreaterThan(0)
  expect(system.issued.every((token) => sings(token))).toBe(true)
  expect(sings(system.clientSecret)).toBe(true)
  for (const [where, text] of seen) expect(sings(text) ? text : '', where).toBe('')
  await running.stop()
  stopped = true
  const files = readdirSync(installation.directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContain('tocsin.db')
  for (const { parentPath, name } of files) expect(sings(readFileSync(join(parentPath, name), 'latin1')), name).toBe(false)
})
