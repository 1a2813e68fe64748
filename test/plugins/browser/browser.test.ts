import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { compileCondition } from '../../../runtime/expressions/index.ts'
import { type CallResult, callSkill, checkCredentials, type HandlerHost, loadPluginFolder, type Plugin } from '../../../runtime/plugin/index.ts'
import { type BrowserSimulator, idOf, startBrowserSimulator } from '../../simulators/browser/index.ts'
import { makePki } from '../../simulators/pki.ts'
import { pluginsFolder } from '../fixtures.ts'
import { simulatedHost } from '../simulated-host.ts'

/** Runs the browser plugin against the strict simulator, over HTTPS. */
const pki = makePki()
const key = 'right-key'
let plugin: Plugin
let simulator: BrowserSimulator
let host: HandlerHost & { close(): Promise<void> }
let time = 0

beforeAll(async () => {
  plugin = await loadPluginFolder(join(pluginsFolder, 'browser'))
  simulator = await startBrowserSimulator({ pki, key, accounts: 430, now: () => time, strict: true })
  host = simulatedHost(simulator.url, pki.ca, { 'x-api-key': key })
})
beforeEach(() => {
  time += 60_000
  simulator.faults.clear()
  simulator.setLevel('full_access')
})
afterAll(async () => {
  await host.close()
  await simulator.close()
})

async function call(id: string, input: Json, from: HandlerHost = host): Promise<CallResult> {
  const skill = plugin.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  const checked = skill.checkInput(input)
  if (checked.faults.length > 0) throw new Error(checked.faults.join('; '))
  return callSkill(plugin, skill, checked.input, from)
}

// biome-ignore lint/suspicious/noExplicitAny: outputs of many shapes
async function output(id: string, input: Json): Promise<any> {
  const result = await call(id, input)
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
  return result.output
}

const app = idOf('b', 2)
const employee = idOf('e', 1)
const detection = idOf('d', 1)
const read = (): Promise<CallResult> => call('list_browser_apps', {})
const write = (): Promise<CallResult> => call('update_browser_app', { app_id: app, notes: 'looked at' })

test('a connection needs only its key, and address and path have defaults', () => {
  expect(checkCredentials(plugin.manifest.document, { api_key: 'k' })).toEqual({
    ok: true,
    fields: { base_url: 'https://api.pushsecurity.com', api_path: 'api/v1' },
    secrets: { api_key: 'k' },
  })
})

test.each([
  ['base_url', 'https://api.example.com/api/v1', 'Give the origin only'],
  ['base_url', 'http://api.example.com', 'https'],
  ['api_path', '/api/v1', 'must be one of'],
  ['api_key', 'x-api-key: k y', 'HTTP headers may not have'],
  ['api_key', ' k', 'a space'],
])('a connection is refused: %s %j', (field, value, message) => {
  const checked = checkCredentials(plugin.manifest.document, { api_key: 'k', [field]: value })
  expect(checked).toMatchObject({ ok: false, places: [{ field: `credentials.${field}`, message: expect.stringContaining(message) }] })
})

test('accounts are read over several pages, exactly as many as requested', async () => {
  const all = await output('list_browser_accounts', {})
  expect([all.accounts.length, all.truncated]).toEqual([430, false])
  expect(new Set(all.accounts.map(({ id }: { id: string }) => id)).size).toBe(430)
  const some = await output('list_browser_accounts', { max_items: 250 })
  expect([some.accounts.length, some.truncated]).toEqual([250, true])
})

test('filters reach the platform, with times in seconds', async () => {
  const { accounts } = await output('list_browser_accounts', { email: 'ada.lovelace', app_type: 'GITHUB', max_items: 10_000 })
  expect(accounts.length).toBeGreaterThan(0)
  expect(accounts.every(({ employeeId, appType }: { employeeId: string; appType: string }) => employeeId === employee && appType === 'GITHUB')).toBe(
    true,
  )
  const from = 1_788_220_800 + 24 * 3_600
  const used = await output('list_browser_accounts', { last_used_after: from, last_used_before: from + 3 * 3_600 })
  expect(used.accounts.map(({ id }: { id: string }) => id)).toEqual([idOf('a', 2), idOf('a', 3)])
  expect((await output('list_browser_browsers', { online_after: 1_788_220_800 })).browsers).toHaveLength(3)
  expect((await output('list_browser_apps', { created_after: 1_788_220_800 + 3_600 })).apps).toHaveLength(2)
  expect((await output('list_browser_findings', { created_after: 1_788_220_800 + 4 * 3_600 })).findings).toHaveLength(1)
  expect((await output('list_browser_detections', { detection_type: 'PHISHING', severity: 'HIGH', archived: false })).detections).toMatchObject([
    { id: detection },
  ])
})

test.each([
  ['account', idOf('a', 1)],
  ['employee', employee],
  ['app', app],
  ['browser', idOf('c', 1)],
  ['finding', idOf('f', 1)],
  ['detection', detection],
])('one %s is read by its id', async (one, id) => {
  expect(await output(`get_browser_${one}`, { [`${one}_id`]: id })).toMatchObject({ [one]: { id } })
  expect(await call(`get_browser_${one}`, { [`${one}_id`]: 'none' })).toMatchObject({ failure: { code: 'not_found', vendor: { status: 404 } } })
})

test('an update of an app sets only the given fields, and null clears a field', async () => {
  const before = simulator.find('apps', idOf('b', 1))
  const { app: after } = await output('update_browser_app', { app_id: idOf('b', 1), approval_status: 'NOT_APPROVED', owner_id: null })
  expect(after).toEqual({ ...before, approvalStatus: 'NOT_APPROVED', ownerId: null })
  const faults = plugin.skills.get('update_browser_app')?.checkInput({ app_id: app }).faults
  expect(faults).toHaveLength(1)
})

test.each<[string, Json, boolean]>([
  ['the current value', { approval_status: 'APPROVED' }, true],
  ['another value', { approval_status: 'NOT_APPROVED' }, false],
  ['only one of two values', { approval_status: 'APPROVED', notes: 'other' }, false],
  ['null where a value is set', { owner_id: null }, false],
  ['null where no value is set', { sensitivity_level: null }, true],
])('the probe tells whether an update of an app happened: %s', async (_, change, happened) => {
  await output('update_browser_app', { app_id: app, approval_status: 'APPROVED', owner_id: employee, sensitivity_level: null, notes: 'n' })
  const verify = plugin.skills.get('update_browser_app')?.document.verify
  const found = await output('get_browser_app', { app_id: app })
  expect(compileCondition(verify?.happened ?? false).test({ input: { app_id: app, ...(change as object) }, output: found })).toBe(happened)
})

test('a detection is archived and unarchived', async () => {
  expect(await output('archive_browser_detection', { detection_id: detection })).toMatchObject({ detection: { archived: true } })
  expect(await output('archive_browser_detection', { detection_id: detection, archived: false })).toMatchObject({ detection: { archived: false } })
})

test('a licence is taken away, and the probe sees it', async () => {
  expect(await output('set_browser_employee_licence', { employee_id: employee, licensed: false })).toMatchObject({ employee: { licensed: false } })
  const happened = compileCondition(plugin.skills.get('set_browser_employee_licence')?.document.verify?.happened ?? false)
  const found = await output('get_browser_employee', { employee_id: employee })
  expect([true, false].map((licensed) => happened.test({ input: { licensed }, output: found }))).toEqual([false, true])
})

test('an account that was deleted before counts as deleted', async () => {
  const account = idOf('a', 430)
  const gone = { account_id: account, deleted: true }
  expect(await output('delete_browser_account', { account_id: account })).toEqual(gone)
  expect(await output('delete_browser_account', { account_id: account })).toEqual(gone)
  expect(simulator.writesOf(account)).toBe(1)
})

test('every write needs a full-access key, and every read a read-only key', () => {
  const shown = [...plugin.skills.values()].map(({ impact, document }) => [impact === 'read', document.minimum_role])
  expect(new Set(shown.map(String))).toEqual(new Set(['true,read_only', 'false,full_access']))
})

// The errors of specification 7.1, and those that a strict server adds.
test('a wrong key gives credentials_rejected', async () => {
  const wrong = simulatedHost(simulator.url, pki.ca, { 'x-api-key': 'wrong' })
  expect(await call('list_browser_accounts', {}, wrong)).toMatchObject({ effect: 'refused', failure: { code: 'credentials_rejected' } })
  await wrong.close()
})

test('a read-only key can read, and its writes give key_read_only', async () => {
  simulator.setLevel('read_only')
  expect(await read()).toMatchObject({ ok: true })
  const before = simulator.find('apps', app)
  expect(await write()).toMatchObject({
    effect: 'refused',
    failure: { code: 'key_read_only', remedy: expect.stringContaining('Full access'), vendor: { status: 403 } },
  })
  expect(simulator.find('apps', app)).toEqual(before)
  expect(await call('delete_browser_account', { account_id: idOf('a', 1) })).toMatchObject({ failure: { code: 'key_read_only' } })
})

test('a key that may not even read gives access_refused', async () => {
  simulator.fail({ failure: 'blocked' })
  expect(await read()).toMatchObject({ failure: { code: 'access_refused' } })
})

test('a wrong API path gives endpoint_not_found, although the gateway reports a missing token', async () => {
  simulator.fail({ failure: 'gateway_unknown_path', times: 2 })
  expect(await read()).toMatchObject({ failure: { code: 'endpoint_not_found', remedy: expect.stringContaining('API path') } })
  expect(await write()).toMatchObject({ effect: 'refused', failure: { code: 'endpoint_not_found' } })
})

test('a value that the platform does not know gives request_rejected', async () => {
  expect(await call('update_browser_app', { app_id: app, owner_id: 'nobody' })).toMatchObject({
    effect: 'refused',
    failure: { code: 'request_rejected', message: expect.stringContaining('ownerId') },
  })
})

test('too many requests give rate_limited, with the requested wait if there is one', async () => {
  simulator.fail({ failure: 'rate_limited', retryAfter: 9 })
  expect(await write()).toMatchObject({ effect: 'refused', failure: { code: 'rate_limited', retryAfter: 9 } })
  simulator.fail({ failure: 'rate_limited' })
  expect(await read()).toMatchObject({ failure: { code: 'rate_limited', retryAfter: null } })
})

test('the twenty-first request at once is refused, and one a second later is accepted', async () => {
  for (let number = 0; number < 20; number += 1) expect((await read()).ok).toBe(true)
  expect(await read()).toMatchObject({ failure: { code: 'rate_limited' } })
  time += 1_000
  expect((await read()).ok).toBe(true)
})

test('a rate limit in the middle of a listing is an error, not a short list', async () => {
  simulator.fail({ failure: 'slow', milliseconds: 0 })
  simulator.fail({ failure: 'rate_limited' })
  expect(await call('list_browser_accounts', {})).toMatchObject({ ok: false, failure: { code: 'rate_limited' } })
})

test('a server error leaves a write in doubt, but not a read', async () => {
  simulator.fail({ failure: 'server_error', times: 2 })
  expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'vendor_unavailable' } })
  expect(await read()).toMatchObject({ effect: 'refused', failure: { code: 'vendor_unavailable' } })
})

test('a sign-in page instead of an answer gives answer_not_understood', async () => {
  simulator.fail({ failure: 'html', times: 2 })
  expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'answer_not_understood' } })
  expect(await read()).toMatchObject({ failure: { code: 'answer_not_understood' } })
})

test('an empty list is not an error', async () => {
  expect(await output('list_browser_accounts', { email: 'nobody@acme.example' })).toEqual({ accounts: [], truncated: false })
})
