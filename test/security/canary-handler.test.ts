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
 * A plugin's code that asks a system which repeats its secret for everything, reaches for all that is there, and returns, throws, logs
 * and sends what it found; then everything that Tocsin shows, keeps and sends elsewhere is searched for the secret.
 */
const secret = `a/${canary}+"&=%<x>\\'~end`

function echo({ path, headers }: SimulatedRequest): Reply {
  const echoes = echoesOf(String(headers['x-token'] ?? 'nothing'))
  const shown = Object.fromEntries(Object.entries(echoes).map(([name, value]) => [`x-echo-${name.replace('_', '-')}`, value]))
  if (path === '/api/rows/csv') {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
    const rows = [Object.keys(echoes), Object.values(echoes), Object.values(echoes).reverse()]
    return { status: 200, headers: { ...shown, 'content-type': 'text/csv' }, body: rows.map((row) => row.map(quoted).join(',')).join('\n') }
  }
  if (path === '/api/rows/jsonl') {
    const lines = [echoes, Object.values(echoes), { [echoes['plain'] ?? '']: 1 }].map((row) => escaped(JSON.stringify(row)))
    return { status: 200, headers: { ...shown, 'content-type': 'application/x-ndjson' }, body: lines.join('\n') }
  }
  if (path === '/page') return { status: 200, headers: { ...shown, 'content-type': 'text/html' }, body: `<title>${echoes['html']}</title>` }
  if (path === '/api/refused') return { status: 400, headers: shown, body: JSON.stringify({ kind: 'refused', message: echoes['plain'], echoes }) }
  return { status: 200, headers: shown, body: escaped(JSON.stringify({ items: [echoes, echoes['plain']], next: null, ...echoes })) }
}

let installation: Installation
let simulator: SimulatorServer
let running: Running
let admin: Target
const seen: [where: string, text: string][] = []
const log: string[] = []
const jobs: Job[] = []

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  simulator = await serveSimulator(echo, { pki: openPki(folder), port: 0, remember: 2_000 })
  const settings = {
    ...installation.environment,
    TOCSIN_CA_FILE: caFile(folder),
    TOCSIN_PLUGINS: join(import.meta.dirname, 'plugins'),
    TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'handler-playbooks'),
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
  await simulator?.close()
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

test('nothing that code of a plugin finds, tells or sends has the secret', async () => {
  const credentials = { base_url: simulator.url, api_token: secret }
  const made = await send('POST', 'connections', { instance: 'echo', integration: 'curious', organization_code: 'ACME', credentials })
  const at = `connections/${String(made['id'])}`
  for (const skill of ['look_read', 'look_write']) {
    for (const end of ['return', 'throw', 'refused', 'declared', 'undeclared']) {
      const result = await send('POST', `${at}/skills/curious.${skill}`, { input: { end } })
      expect(JSON.stringify(result), `${skill} ${end}`).toContain('[secret]')
    }
  }
  const body = { alert_content: '{}', alert_provider: 'P', organization_code: 'ACME', alert_type: 'curious' }
  const { alert_uuid } = await send('POST', 'alerts', body)
  const ended = await request(admin, 'GET', `/platformapi/alerts/${String(alert_uuid)}`, undefined, { prefer: 'wait=50' })
  expect(ended).toMatchObject({ investigation_status: 20, runs: [{ failure: { code: 'told_off' } }] })
  const { case_id } = await send('GET', `alerts/${String(alert_uuid)}`)
  expect(JSON.stringify(await send('GET', `cases/${String(case_id)}`))).toContain('[secret]')

  const { journal, runs } = running.parts.store
  const [run] = await runs.ofAlert(systemScope, asId(String(alert_uuid)))
  if (!run) throw new Error('there is no run')
  const entries = JSON.stringify(await journal.read(systemScope, run.id))
  expect(entries).toContain('[secret]')
  expect(log.join('\n')).toContain('[secret]')
  // What the code sent to the system itself: all but the header that the host put on.
  const exchanges = simulator.exchanges.map(({ headers: { 'x-token': _, ...headers }, ...rest }) => ({ ...rest, headers }))
  expect(exchanges.some(({ path }) => path.startsWith('/api/found/'))).toBe(true)
  expect(simulator.exchanges.some(({ headers }) => headers['x-token'] === `Bearer ${secret}`)).toBe(true)
  seen.push(['journal', entries], ['jobs', JSON.stringify(jobs)], ['log', log.join('\n')], ['sent', JSON.stringify(exchanges)])
  for (const [where, text] of seen) expect(sings(text) ? text : '', where).toBe('')
})

test('nothing on the disk has the secret but its ciphertext', async () => {
  await running.stop()
  stopped = true
  const files = readdirSync(installation.directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContain('tocsin.db')
  for (const { parentPath, name } of files) expect(sings(readFileSync(join(parentPath, name), 'latin1')), name).toBe(false)
})
