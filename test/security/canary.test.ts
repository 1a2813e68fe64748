import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../runtime/cli/client.ts'
import { openWorld, type Recording, recordTest } from '../../runtime/rehearsal/index.ts'
import type { Reply } from '../simulators/faults.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { type Installation, newInstallation } from '../support/processes/installation.ts'
import { until } from '../support/until.ts'
import { canary, echoesOf, escaped, sings } from './canary.ts'
import { Overheard } from './overheard.ts'

/**
 * A connection with a canary secret. Its system repeats the secret in every answer, in every form
 * that systems and gateways use. Then everything that Tocsin shows and stores is searched for it.
 */
const secret = `a/${canary}+"&=%<x>\\'~end`

/**
 * Lists succeed, with the secret in their items. Other requests fail, with the secret in every part
 * of the error.
 */
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
let tocsin: Overheard
const send = (method: string, path: string, body?: unknown): Promise<Answer> => tocsin.send(method, path, body)

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  simulator = await serveSimulator(echo, { pki: openPki(folder), port: 0, remember: 100 })
  tocsin = await Overheard.start(installation, { TOCSIN_CA_FILE: caFile(folder), TOCSIN_PLAYBOOKS: join(import.meta.dirname, 'playbooks') })
})
afterAll(async () => {
  await tocsin?.stop()
  await simulator?.close()
  await installation?.remove()
})

const draft = (credentials: object, more: object = {}) => ({
  instance: 'echo',
  integration: 'mailsec',
  organization_code: 'ACME',
  credentials,
  ...more,
})

test('the search finds every form of the canary, so the tests below can fail', () => {
  for (const [name, echoed] of Object.entries(echoesOf(secret))) {
    expect(sings(`before "${echoed}" after`), name).toBe(true)
    expect(sings(escaped(JSON.stringify({ echoed }))), name).toBe(true)
  }
  expect(sings('[secret] and nothing YWJjZGVmZ2hpamtsbW5vcA==')).toBe(false)
})

test('a refused connection does not repeat its secret', async () => {
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

test('no answer, log line or job contains the secret, whatever the external system repeats (complaint 5)', async () => {
  const made = await send('POST', 'connections', draft({ base_url: simulator.url, api_token: secret }))
  const at = `connections/${String(made['id'])}`
  expect(await send('POST', `${at}/test`)).toMatchObject({ ok: false, status: 401 })
  const { items } = await send('GET', 'integrations/mailsec/skills')
  for (const { id, example } of items as { id: string; example: unknown }[]) {
    expect(await send('POST', `${at}/skills/${id}`, { input: example ?? {} })).toHaveProperty('ok')
  }
  expect(simulator.exchanges.some(({ headers }) => headers['x-vendor-client-secret'] === secret)).toBe(true)

  const { alert, record, journal } = await tocsin.investigate('echo', '{"user":"ada"}')
  expect(alert).toMatchObject({ investigation_status: 20, runs: [{ failure: { code: 'request_rejected' } }] })
  for (const kept of [JSON.stringify(record), journal]) expect(kept).toContain('[secret]')

  expect(await send('PATCH', at, { revision: 1, credentials: { base_url: 'https://elsewhere.example' } })).toMatchObject({
    code: 'connection_invalid',
  })
  expect(await send('PATCH', at, { revision: 1, credentials: { api_token: `${secret}2` } })).toMatchObject({ revision: 2 })
  for (const path of ['connections', at, 'alerts', 'cases', 'integrations', 'playbooks', 'keys', 'openapi.json']) await send('GET', path)

  expect(tocsin.log.join('\n')).toContain('skill run by hand')
  tocsin.expectSilence()
})

test('decisions, stored runs, and everything made from them do not contain the secret', async () => {
  const asked = await tocsin.post('ask', '{}')
  const decision = await tocsin.decisionOf(asked)
  expect(decision).toMatchObject({
    title: expect.stringContaining('[secret]'),
    actions: [{ input: { issue_id: expect.stringContaining('[secret]') } }],
  })
  const answer = { verdict: 'approve', reason: 'Seen' }
  expect(await send('POST', `decisions/${String(decision['id'])}`, answer)).toMatchObject({ state: 'approved' })
  await until(async () => ((await send('GET', `alerts/${asked}`))['completed_at'] === null ? null : true))
  const { items } = await send('GET', 'runs')
  const runs = (items as { run_id: string; alert_type: string }[]).filter(({ alert_type }) => ['echo', 'ask'].includes(alert_type))
  expect(runs).toHaveLength(2)
  const world = await openWorld({ plugins: [join(import.meta.dirname, '../../plugins')], playbooks: [] })
  for (const { run_id } of runs) {
    await send('GET', `runs/${run_id}`)
    const { items: steps, note } = await send('GET', `runs/${run_id}/steps`)
    expect(note).toBeNull()
    expect(JSON.stringify(steps)).toContain('[secret]')
    for (const { address, ...step } of steps as { address: string; input: unknown; output: unknown }[]) {
      const of = new URLSearchParams({ address })
      await send('GET', `runs/${run_id}/step?${of}`)
      for (const part of ['input', 'output'] as const) if (step[part]) await send('GET', `runs/${run_id}/step/value?${of}&part=${part}`)
    }
    const recording = await send('GET', `runs/${run_id}/recording`)
    expect(JSON.stringify(recording)).toContain('[secret]')
    const made = await recordTest(world, recording as unknown as Recording, [])
    tocsin.note('test made of a run', made.text)
  }
  const { items: active } = await send('GET', 'playbooks')
  for (const { key, digest } of active as { key: string; digest: string }[])
    for (const path of [`playbooks/${key}`, `playbooks/${key}/history`, `playbook-versions/${digest}`]) await send('GET', path)
  for (const path of ['decisions', 'cases', 'alerts']) await send('GET', path)
  tocsin.expectSilence()
})

test('the disk contains the secret only as ciphertext', () => tocsin.expectSilentDisk())
