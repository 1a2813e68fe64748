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
import { canary, echoesOf, escaped, sings } from './canary.ts'

/**
 * A canary secret is planted in a connection to a system that repeats it in every answer, in every form that systems and gateways write
 * what they were sent; then everything that Tocsin shows and keeps is searched for it.
 */
const secret = `a/${canary}+"&=%<x>\\'~end`

/** Lists succeed, with the secret in their items; the rest fails, with the secret in every part of the error. */
function echo({ method, path, headers }: SimulatedRequest): Reply {
  const given = String(headers['x-vendor-client-secret'] ?? 'nothing')
  const echoes = echoesOf(given)
  const shown = Object.fromEntries(Object.entries(echoes).map(([name, value]) => [`x-echo-${name.replace('_', '-')}`, value]))
  if (method === 'GET' && path.endsWith('/accounts')) {
    const account = { id: echoes['basic'], name: echoes['plain'], status: echoes['json_twice'], posture: { ...echoes, [`key-${given}`]: true } }
    return { status: 200, headers: shown, body: escaped(JSON.stringify({ items: [account], meta: { hasMore: false } })) }
  }
  const ids = { 'x-request-id': echoes['base64'] ?? '', ...shown }
  if (path.endsWith('/issues'))
    return { status: 401, headers: { ...ids, 'content-type': 'text/html' }, body: `<title>${given}</title>${JSON.stringify(echoes)}` }
  if (path.includes('/messages'))
    return { status: 200, headers: { ...ids, 'content-type': 'text/html' }, body: `<html><title>${echoes['inside']}</title></html>` }
  const message = Object.values(echoes).join(' | ')
  return { status: 400, headers: ids, body: JSON.stringify({ error: { code: echoes['url'], message, requestId: given } }) }
}

let installation: Installation
let simulator: SimulatorServer
let running: Running
let admin: Target
/** Everything that came out of Tocsin, by where it came from. */
const seen: [where: string, text: string][] = []
const log: string[] = []
const jobs: Job[] = []

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  simulator = await serveSimulator(echo, { pki: openPki(folder), port: 0, remember: 100 })
  const playbooks = join(import.meta.dirname, 'playbooks')
  const settings = { ...installation.environment, TOCSIN_CA_FILE: caFile(folder), TOCSIN_PLAYBOOKS: playbooks, TOCSIN_LOG_LEVEL: 'trace' }
  const config = readConfig(settings, { port: '0' })
  running = await start(config, { api: true, worker: true }, createLogger({ level: 'trace', destination: { write: (line) => void log.push(line) } }))
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
  await simulator?.close()
  await installation?.remove()
})

/** A request whose whole answer, headers included, is noted. */
async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${admin.url}/platformapi/${path}`, {
    method,
    headers: { cookie: `Session=${admin.key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  seen.push([`${method} ${path} ${response.status}`, `${JSON.stringify([...response.headers])}\n${text}`])
  return text === '' ? {} : (JSON.parse(text) as Answer)
}

const draft = (credentials: object, more: object = {}) => ({
  instance: 'echo',
  integration: 'mailsec',
  organization_code: 'ACME',
  credentials,
  ...more,
})

test('the search finds every form of the canary, so that what follows can fail', () => {
  for (const [name, echoed] of Object.entries(echoesOf(secret))) {
    expect(sings(`before "${echoed}" after`), name).toBe(true)
    expect(sings(escaped(JSON.stringify({ echoed }))), name).toBe(true)
  }
  expect(sings('[secret] and nothing YWJjZGVmZ2hpamtsbW5vcA==')).toBe(false)
})

test('a connection that is refused does not repeat its secret', async () => {
  const base = { base_url: simulator.url }
  const refused = [
    draft({ ...base, api_token: `"${secret}"` }),
    draft({ ...base, api_token: ` ${secret}` }),
    draft({ ...base, api_token: `api_token=${secret}` }),
    draft({ ...base, api_token: `${secret}\u00e9` }),
    draft({ api_token: secret }),
    draft({ base_url: secret, api_token: secret }),
    draft({ base_url: `https://${encodeURIComponent(secret)}@host.example`, api_token: secret }),
    draft({ ...base, api_tokn: secret }),
    draft({ ...base, api_token: [secret] }),
    draft({}, { paste: `api_token=${secret}` }),
    draft({ ...base, api_token: secret }, { role: 'none' }),
    JSON.stringify(draft({ ...base, api_token: secret })).replace('}', ''),
    `{"credentials": {"api_token": "${canary}" ${canary}`,
  ]
  for (const body of refused) expect(await send('POST', 'connections', body)).toMatchObject({ code: expect.any(String) })
})

test('nothing that is answered, logged or queued has the secret, whatever the external system repeats', async () => {
  const made = await send('POST', 'connections', draft({ base_url: simulator.url, api_token: secret }))
  const at = `connections/${String(made['id'])}`
  expect(await send('POST', `${at}/test`)).toMatchObject({ ok: false, status: 401 })
  const { items } = await send('GET', 'integrations/mailsec/skills')
  for (const { id, example } of items as { id: string; example: unknown }[]) {
    expect(await send('POST', `${at}/skills/${id}`, { input: example ?? {} })).toHaveProperty('ok')
  }
  expect(simulator.exchanges.some(({ headers }) => headers['x-vendor-client-secret'] === secret)).toBe(true)

  const body = { alert_content: '{"user":"ada"}', alert_provider: 'P', organization_code: 'ACME', alert_type: 'echo' }
  const { alert_uuid } = await send('POST', 'alerts', body)
  const ended = await request(admin, 'GET', `/platformapi/alerts/${String(alert_uuid)}`, undefined, { prefer: 'wait=50' })
  expect(ended).toMatchObject({ investigation_status: 20, runs: [{ failure: { code: 'request_rejected' } }] })
  const { case_id } = await send('GET', `alerts/${String(alert_uuid)}`)
  expect(JSON.stringify(await send('GET', `cases/${String(case_id)}`))).toContain('[secret]')

  expect(await send('PATCH', at, { revision: 1, credentials: { base_url: 'https://elsewhere.example' } })).toMatchObject({
    code: 'connection_invalid',
  })
  expect(await send('PATCH', at, { revision: 1, credentials: { api_token: `${secret}2` } })).toMatchObject({ revision: 2 })
  for (const path of ['connections', at, 'alerts', 'cases', 'integrations', 'playbooks', 'keys', 'openapi.json']) await send('GET', path)

  const { journal, runs } = running.parts.store
  const [run] = await runs.ofAlert(systemScope, asId(String(alert_uuid)))
  if (!run) throw new Error('there is no run')
  const entries = await journal.read(systemScope, run.id)
  expect(JSON.stringify(entries)).toContain('[secret]')
  seen.push(['journal', JSON.stringify(entries)], ['jobs', JSON.stringify(jobs)], ['log', log.join('\n')])
  expect(jobs.length).toBeGreaterThan(0)
  expect(log.join('\n')).toContain('skill run by hand')
  for (const [where, text] of seen) expect(sings(text) ? text : '', where).toBe('')
})

test('nothing on the disk has the secret but its ciphertext', async () => {
  await running.stop()
  stopped = true
  const files = readdirSync(installation.directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContain('tocsin.db')
  for (const { parentPath, name } of files) expect(sings(readFileSync(join(parentPath, name), 'latin1')), name).toBe(false)
})
