import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../simulators/faults.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { type Installation, newInstallation } from '../support/processes/installation.ts'
import { canary, echoesOf, escaped } from './canary.ts'
import { Overheard } from './overheard.ts'

/**
 * A plugin with hostile code. It calls a system that repeats the secret everywhere, and reads
 * everything that it can reach. It returns, throws, logs and sends what it found. Then everything
 * that Tocsin shows, stores and sends elsewhere is searched for the secret.
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
let tocsin: Overheard

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  simulator = await serveSimulator(echo, { pki: openPki(folder), port: 0, remember: 2_000 })
  tocsin = await Overheard.start(installation, {
    TOCSIN_CA_FILE: caFile(folder),
    TOCSIN_PLUGINS: join(import.meta.dirname, 'plugins'),
    TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'handler-playbooks'),
  })
})
afterAll(async () => {
  await tocsin?.stop()
  await simulator?.close()
  await installation?.remove()
})

test("nothing that a plugin's code finds, returns or sends contains the secret", async () => {
  const credentials = { base_url: simulator.url, api_token: secret }
  const made = await tocsin.send('POST', 'connections', { instance: 'echo', integration: 'curious', organization_code: 'ACME', credentials })
  const at = `connections/${String(made['id'])}`
  for (const skill of ['look_read', 'look_write']) {
    for (const end of ['return', 'throw', 'refused', 'declared', 'undeclared']) {
      const result = await tocsin.send('POST', `${at}/skills/curious.${skill}`, { input: { end } })
      expect(JSON.stringify(result), `${skill} ${end}`).toContain('[secret]')
    }
  }
  const { alert, record, journal } = await tocsin.investigate('curious', '{}')
  expect(alert).toMatchObject({ investigation_status: 20, runs: [{ failure: { code: 'told_off' } }] })
  for (const kept of [JSON.stringify(record), journal, tocsin.log.join('\n')]) expect(kept).toContain('[secret]')
  // What the code sent to the system, without the header that the host added.
  const exchanges = simulator.exchanges.map(({ headers: { 'x-token': _, ...headers }, ...rest }) => ({ ...rest, headers }))
  expect(exchanges.some(({ path }) => path.startsWith('/api/found/'))).toBe(true)
  expect(simulator.exchanges.some(({ headers }) => headers['x-token'] === `Bearer ${secret}`)).toBe(true)
  tocsin.note('sent', JSON.stringify(exchanges))
  tocsin.expectSilence()
})

test('the disk contains the secret only as ciphertext', () => tocsin.expectSilentDisk())
