import { expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import { mailsecPlugin } from './plugin.ts'

const { call, output, happened, faults, hostOf, simulator, payroll } = mailsecPlugin('issue_responder', { issues: 230 })

test('issues are read over several pages, exactly as many as requested', async () => {
  const all = await output('get_mailsec_issues', { status: 'open' })
  expect([all.issues.length, all.total, all.truncated]).toEqual([232, 232, false])
  const some = await output('get_mailsec_issues', { max_items: 150 })
  expect([some.issues.length, some.total, some.truncated]).toEqual([150, 232, true])
  expect(new Set(all.issues.map(({ id }: { id: string }) => id)).size).toBe(232)
})

test('filters reach the platform', async () => {
  const { issues } = await output('get_mailsec_issues', { severity: 'high', entity_type: 'message', detection: 'credential_phishing' })
  expect(issues.map(({ id }: { id: string }) => id)).toEqual([payroll()])
  const { issues: early } = await output('get_mailsec_issues', { created_before: '2026-09-01T00:05:00Z', time_filter_api: 'v1' })
  expect(early).toHaveLength(1)
})

test("an issue's messages are read, and one of them with the requested parts", async () => {
  const { messages } = await output('list_mailsec_issue_messages', { issue_id: payroll() })
  expect(messages).toHaveLength(3)
  const { message } = await output('get_mailsec_message', { message_id: messages[0].id, include: ['links', 'attachments', 'issue'] })
  expect(message).toMatchObject({
    id: messages[0].id,
    authentication: { dmarc: 'fail' },
    links: [{ verdict: 'malicious' }],
    attachments: [],
    issue: { id: payroll() },
  })
  expect(message).not.toHaveProperty('mailbox')
})

test('an account is found by its address', async () => {
  expect(await output('list_mailsec_accounts', { email: 'alan.turing@acme.example' })).toMatchObject({
    accounts: [{ name: 'Alan Turing', mailbox: { forwarding: [{ external: true }] } }],
    truncated: false,
  })
})

test('messages are marked as suspicious', async () => {
  simulator().setRole('analyst')
  const { messages } = await output('list_mailsec_issue_messages', { issue_id: payroll() })
  const ids = [messages[0].id, messages[1].id]
  expect(await output('mark_mailsec_messages_suspicious', { message_ids: ids })).toMatchObject({
    status: 'accepted',
    message_ids: ids,
    all_done: true,
    done: 2,
    failed: 0,
  })
})

test('an update sets only the given fields', async () => {
  const before = simulator().issue(payroll())
  const { issue } = await output('update_mailsec_issue', { issue_id: payroll(), classification: 'malicious', assignee: null })
  expect(issue).toEqual({ ...before, classification: 'malicious', assignee: null, updatedAt: expect.any(String) })
})

test('a remediation list needs a mode, and `replace` replaces the current list', async () => {
  const wrong = (more: object): readonly string[] => faults('update_mailsec_issue', { issue_id: 'i', ...more })
  expect(wrong({ remediation_actions: ['block'] })).toEqual(['remediation_actions needs remediation_mode too'])
  expect(wrong({ remediation_actions: ['block'], remediation_mode: 'add' })).toHaveLength(1)
  expect(wrong({})).toHaveLength(1)
  await output('update_mailsec_issue', { issue_id: payroll(), remediation_actions: ['mark_spam', 'block'], remediation_mode: 'replace' })
  expect(simulator().issue(payroll())?.remediationActions).toEqual(['mark_spam', 'block'])
})

test('`merge` adds to the current list, and writes nothing if it changes nothing', async () => {
  await output('update_mailsec_issue', { issue_id: payroll(), remediation_actions: ['mark_spam'], remediation_mode: 'replace' })
  const { requests, writes } = simulator().counts
  const merge = { issue_id: payroll(), remediation_actions: ['block', 'mark_spam'], remediation_mode: 'merge' }
  expect((await output('update_mailsec_issue', { ...merge, assignee: 'ada' })).issue).toMatchObject({
    remediationActions: ['mark_spam', 'block'],
    assignee: 'ada',
  })
  expect((await output('update_mailsec_issue', merge)).issue.remediationActions).toEqual(['mark_spam', 'block'])
  expect(simulator().counts).toMatchObject({ requests: requests + 3, writes: writes + 1 })
  await output('update_mailsec_issue', { ...merge, assignee: null })
  expect(simulator().issue(payroll())).toMatchObject({ remediationActions: ['mark_spam', 'block'], assignee: null })
})

test('`merge` fails if the platform does not show the current list', async () => {
  const { writes } = simulator().counts
  const body = JSON.stringify({ id: payroll(), name: 'n', status: 'open' })
  simulator().faults.add({ fault: { kind: 'answer', reply: { status: 200, body }, effect: 'none' }, times: 1 })
  const merge = { issue_id: payroll(), remediation_actions: ['block'], remediation_mode: 'merge' }
  expect(await call('update_mailsec_issue', merge)).toMatchObject({
    ok: false,
    failure: { code: 'remediation_not_known', remedy: expect.stringContaining('replace') },
  })
  expect(simulator().counts.writes).toBe(writes)
})

test('`merge` takes no actions from another issue', async () => {
  const { writes } = simulator().counts
  const body = JSON.stringify({ id: 'iss.1.other', name: 'n', status: 'open', remediationActions: ['quarantine'] })
  simulator().faults.add({ fault: { kind: 'answer', reply: { status: 200, body }, effect: 'none' }, times: 1 })
  const merge = { issue_id: payroll(), remediation_actions: ['block'], remediation_mode: 'merge' }
  expect(await call('update_mailsec_issue', merge)).toMatchObject({
    ok: false,
    effect: 'refused',
    failure: { code: 'remediation_not_known', message: expect.stringContaining('answered with the issue iss.1.other') },
  })
  expect(simulator().counts.writes).toBe(writes)
})

test.each<[string, Json, boolean]>([
  ['the current value', { classification: 'malicious' }, true],
  ['another value', { classification: 'benign' }, false],
  ['only one of two values', { classification: 'malicious', status: 'resolved' }, false],
  ['the list', { remediation_actions: ['block'], remediation_mode: 'replace' }, true],
  ['another list', { remediation_actions: [], remediation_mode: 'replace' }, false],
  ['an action that was added', { remediation_actions: ['block'], remediation_mode: 'merge' }, true],
  ['no actions to add', { remediation_actions: [], remediation_mode: 'merge' }, true],
  ['an action that was not added', { remediation_actions: ['block', 'mark_spam'], remediation_mode: 'merge' }, false],
  ['nobody assigned', { assignee: null }, true],
  ['somebody assigned', { assignee: 'ada' }, false],
])('the probe tells whether an update happened: %s', async (_, change, expected) => {
  const id = payroll()
  await output('update_mailsec_issue', {
    issue_id: id,
    classification: 'malicious',
    assignee: null,
    remediation_actions: ['block'],
    remediation_mode: 'replace',
  })
  expect(await happened('update_mailsec_issue', { issue_id: id, ...(change as object) })).toBe(expected)
})

const read = (): Promise<CallResult> => call('get_mailsec_issues', { max_items: 1 })
const write = (): Promise<CallResult> => call('update_mailsec_issue', { issue_id: payroll(), status: 'open' })

// The errors of specification 7.2, and those that a strict server adds.
test('a wrong token gives credentials_rejected', async () => {
  const wrong = hostOf('', { 'x-vendor-client-secret': 'wrong' })
  expect(await call('get_mailsec_issues', {}, wrong)).toMatchObject({
    failure: { code: 'credentials_rejected', vendor: { status: 401, code: 'unauthorized' } },
  })
  await wrong.close()
})

test('a missing header gives auth_header_missing', async () => {
  const bare = hostOf('', {})
  expect(await call('get_mailsec_issues', {}, bare)).toMatchObject({ failure: { code: 'auth_header_missing' } })
  await bare.close()
})

test('an insufficient role gives role_insufficient', async () => {
  simulator().setRole('any_admin_role')
  expect(await read()).toMatchObject({ failure: { code: 'role_insufficient' } })
  expect(await write()).toMatchObject({ effect: 'refused', failure: { code: 'role_insufficient' } })
})

test('a wrong base address gives endpoint_not_found', async () => {
  const elsewhere = hostOf('/app')
  expect(await call('get_mailsec_issues', {}, elsewhere)).toMatchObject({ failure: { code: 'endpoint_not_found' } })
  await elsewhere.close()
})

test('a missing record gives not_found', async () => {
  expect(await call('get_mailsec_issue', { issue_id: 'iss.1.none' })).toMatchObject({ failure: { code: 'not_found' } })
})

test('a value that the platform does not know gives request_rejected', async () => {
  expect(await call('update_mailsec_issue', { issue_id: payroll(), status: 'opened' })).toMatchObject({
    effect: 'refused',
    failure: { code: 'request_rejected' },
  })
})

test('a record whose state does not allow the update gives conflict', async () => {
  const body = JSON.stringify({ error: { code: 'locked', message: 'Somebody else works on it.' } })
  simulator().faults.add({ fault: { kind: 'answer', reply: { status: 409, body }, effect: 'none' }, times: 1 })
  expect(await write()).toMatchObject({
    effect: 'refused',
    failure: { code: 'conflict', message: expect.stringContaining('Somebody else works on it') },
  })
})

test('too many requests give rate_limited, with the requested wait', async () => {
  simulator().fail({ failure: 'rate_limited', retryAfter: 9 })
  expect(await read()).toMatchObject({ failure: { code: 'rate_limited', retryAfter: 9 } })
})

test('a server error leaves a write in doubt, but not a read', async () => {
  simulator().fail({ failure: 'server_error', times: 2 })
  expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'vendor_unavailable' } })
  expect(await read()).toMatchObject({ effect: 'refused', failure: { code: 'vendor_unavailable' } })
})

test('a sign-in page instead of an answer gives answer_not_understood', async () => {
  simulator().fail({ failure: 'html', times: 2 })
  expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'answer_not_understood' } })
  expect(await read()).toMatchObject({ failure: { code: 'answer_not_understood' } })
})

test('an empty list is not an error', async () => {
  expect(await output('get_mailsec_issues', { severity: 'critical' })).toEqual({ issues: [], api: 'v1', total: 0, truncated: false })
})
