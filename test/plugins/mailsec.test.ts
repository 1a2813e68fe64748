import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { compileCondition } from '../../runtime/expressions/index.ts'
import { type CallResult, callSkill, type HandlerHost, loadPluginFolder, type Plugin } from '../../runtime/plugin/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../simulators/mailsec/index.ts'
import { makePki } from '../simulators/pki.ts'
import { pluginsFolder } from './fixtures.ts'
import { simulatedHost } from './simulated-host.ts'

/** The mailsec plugin against the strict simulator, over HTTPS. */
const pki = makePki()
const token = 'right-token'
let plugin: Plugin
let simulator: MailsecSimulator
let host: HandlerHost & { close(): Promise<void> }

beforeAll(async () => {
  plugin = await loadPluginFolder(join(pluginsFolder, 'mailsec'))
  simulator = await startMailsecSimulator({ pki, token, issues: 230 })
  host = simulatedHost(simulator.url, pki.ca, { 'x-vendor-client-secret': token })
})
beforeEach(() => {
  simulator.faults.clear()
  simulator.setRole('issue_responder')
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

const phishing = (): string => simulator.issueNamed('User reported: Action required: confirm your payroll details')?.id ?? ''

test('issues are read over several pages, exactly as many as asked for', async () => {
  const all = await output('get_mailsec_issues', { status: 'open' })
  expect([all.issues.length, all.total, all.truncated]).toEqual([232, 232, false])
  const some = await output('get_mailsec_issues', { max_items: 150 })
  expect([some.issues.length, some.total, some.truncated]).toEqual([150, 232, true])
  expect(new Set(all.issues.map(({ id }: { id: string }) => id)).size).toBe(232)
})

test('filters reach the platform', async () => {
  const { issues } = await output('get_mailsec_issues', { severity: 'high', entity_type: 'message', detection: 'credential_phishing' })
  expect(issues.map(({ id }: { id: string }) => id)).toEqual([phishing()])
  expect((await output('get_mailsec_issues', { created_before: '2026-09-01T00:05:00Z' })).issues).toHaveLength(1)
})

test("an issue's messages, and one of them with the parts that were asked for", async () => {
  const { messages } = await output('list_mailsec_issue_messages', { issue_id: phishing() })
  expect(messages).toHaveLength(3)
  const { message } = await output('get_mailsec_message', { message_id: messages[0].id, include: ['links', 'attachments', 'issue'] })
  expect(message).toMatchObject({
    id: messages[0].id,
    authentication: { dmarc: 'fail' },
    links: [{ verdict: 'malicious' }],
    attachments: [],
    issue: { id: phishing() },
  })
  expect(message).not.toHaveProperty('mailbox')
})

test('an account is found by its address', async () => {
  expect(await output('list_mailsec_accounts', { email: 'alan.turing@acme.example' })).toMatchObject({
    accounts: [{ name: 'Alan Turing', mailbox: { forwarding: [{ external: true }] } }],
    truncated: false,
  })
})

test('marking messages is a write that the platform accepts', async () => {
  simulator.setRole('analyst')
  const { messages } = await output('list_mailsec_issue_messages', { issue_id: phishing() })
  const ids = [messages[0].id, messages[1].id]
  expect(await output('mark_mailsec_messages_suspicious', { message_ids: ids })).toEqual({ status: 'accepted', message_ids: ids })
})

test('an update sets what was asked for and nothing else', async () => {
  const before = simulator.issue(phishing())
  const { issue } = await output('update_mailsec_issue', { issue_id: phishing(), classification: 'malicious', assignee: null })
  expect(issue).toEqual({ ...before, classification: 'malicious', assignee: null, updatedAt: expect.any(String) })
})

test('a remediation list is sent only by who says that it replaces the one that stands', async () => {
  const skill = plugin.skills.get('update_mailsec_issue')
  const faults = (input: Json): readonly string[] => skill?.checkInput(input).faults ?? []
  expect(faults({ issue_id: 'i', remediation_actions: ['block'] })).toEqual(['remediation_actions needs remediation_mode too'])
  expect(faults({ issue_id: 'i', remediation_actions: ['block'], remediation_mode: 'merge' })).toHaveLength(1)
  expect(faults({ issue_id: 'i' })).toHaveLength(1)
  await output('update_mailsec_issue', { issue_id: phishing(), remediation_actions: ['mark_spam', 'block'], remediation_mode: 'replace' })
  expect(simulator.issue(phishing())?.remediationActions).toEqual(['mark_spam', 'block'])
})

test.each<[string, Json, boolean]>([
  ['nothing more than what stands', { classification: 'malicious' }, true],
  ['another value', { classification: 'benign' }, false],
  ['one of two', { classification: 'malicious', status: 'resolved' }, false],
  ['the list', { remediation_actions: ['block'], remediation_mode: 'replace' }, true],
  ['another list', { remediation_actions: [], remediation_mode: 'replace' }, false],
  ['nobody assigned', { assignee: null }, true],
  ['somebody assigned', { assignee: 'ada' }, false],
])('the probe tells whether an update happened: %s', async (_, change, happened) => {
  const id = phishing()
  await output('update_mailsec_issue', {
    issue_id: id,
    classification: 'malicious',
    assignee: null,
    remediation_actions: ['block'],
    remediation_mode: 'replace',
  })
  const verify = plugin.skills.get('update_mailsec_issue')?.document.verify
  const read = await output('get_mailsec_issue', { issue_id: id })
  const test = compileCondition(verify?.happened ?? false)
  expect(test.test({ input: { issue_id: id, ...(change as object) }, output: read })).toBe(happened)
})

const read = (): Promise<CallResult> => call('get_mailsec_issues', { max_items: 1 })
const write = (): Promise<CallResult> => call('update_mailsec_issue', { issue_id: phishing(), status: 'open' })

// Specification 7.2, and what a strict server says besides.
test('errors: a wrong token', async () => {
  const wrong = simulatedHost(simulator.url, pki.ca, { 'x-vendor-client-secret': 'wrong' })
  expect(await call('get_mailsec_issues', {}, wrong)).toMatchObject({
    failure: { code: 'credentials_rejected', vendor: { status: 401, code: 'unauthorized' } },
  })
  await wrong.close()
})

test('errors: the header did not arrive', async () => {
  const bare = simulatedHost(simulator.url, pki.ca, {})
  expect(await call('get_mailsec_issues', {}, bare)).toMatchObject({ failure: { code: 'auth_header_missing' } })
  await bare.close()
})

test('errors: the role does not suffice', async () => {
  simulator.setRole('any_admin_role')
  expect(await read()).toMatchObject({ failure: { code: 'role_insufficient' } })
  expect(await write()).toMatchObject({ effect: 'refused', failure: { code: 'role_insufficient' } })
})

test('errors: the base address is not that of the API', async () => {
  const elsewhere = simulatedHost(`${simulator.url}/app`, pki.ca, { 'x-vendor-client-secret': token })
  expect(await call('get_mailsec_issues', {}, elsewhere)).toMatchObject({ failure: { code: 'endpoint_not_found' } })
  await elsewhere.close()
})

test('errors: no such record', async () => {
  expect(await call('get_mailsec_issue', { issue_id: 'iss.1.none' })).toMatchObject({ failure: { code: 'not_found' } })
})

test('errors: a value that the platform does not know', async () => {
  expect(await call('update_mailsec_issue', { issue_id: phishing(), status: 'opened' })).toMatchObject({
    effect: 'refused',
    failure: { code: 'request_rejected' },
  })
})

test('errors: too many requests, with the wait that was asked for', async () => {
  simulator.fail({ failure: 'rate_limited', retryAfter: 9 })
  expect(await read()).toMatchObject({ failure: { code: 'rate_limited', retryAfter: 9 } })
})

test('errors: a server error leaves a write unknown and a read harmless', async () => {
  simulator.fail({ failure: 'server_error', times: 2 })
  expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'vendor_unavailable' } })
  expect(await read()).toMatchObject({ effect: 'refused', failure: { code: 'vendor_unavailable' } })
})

test('errors: a sign-in page in place of the answer', async () => {
  simulator.fail({ failure: 'html', times: 2 })
  expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'answer_not_understood' } })
  expect(await read()).toMatchObject({ failure: { code: 'answer_not_understood' } })
})

test('an empty list is no error', async () => {
  expect(await output('get_mailsec_issues', { severity: 'critical' })).toEqual({ issues: [], total: 0, truncated: false })
})
