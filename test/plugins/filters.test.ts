import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { loadPluginFolder } from '../../runtime/plugin/index.ts'
import { answering } from './answering.ts'
import { pluginsFolder } from './fixtures.ts'

/** Tests reads with a filter that the vendor does not know, and so answers with everything. */
const calls = { mailsec: await answering('mailsec'), browser: await answering('browser'), mfa: await answering('mfa'), crm: await answering('crm') }
type Integration = keyof typeof calls

const items = (...records: Json[]): Json => ({ meta: { totalCount: records.length, hasMore: false, nextCursor: null }, items: records })
const result = (...records: Json[]): Json => ({ result: records, paging: { moreResults: false, nextToken: null } })
const itself = (record: Json): Json => record
const rows = (...records: Json[]): Json => ({ totalSize: records.length, done: true, records })
const user = (record: Json): Json => ({ errorId: 200, userDetails: record })

type Case = readonly [Integration, string, input: Json, answer: (...records: Json[]) => Json, right: Json, wrong: Json]
const cases: readonly Case[] = [
  ['mailsec', 'get_mailsec_issues', { status: 'open' }, items, { status: 'Open' }, { status: 'resolved' }],
  ['mailsec', 'get_mailsec_issues', { severity: 'high' }, items, { severity: 'HIGH' }, { severity: 'low' }],
  ['mailsec', 'get_mailsec_issues', { entity_type: 'message' }, items, { entityType: 'message' }, { entityType: 'account' }],
  ['mailsec', 'get_mailsec_issues', { detection: 'd' }, items, { detection: { id: 'd' } }, { detection: 'e' }],
  [
    'mailsec',
    'get_mailsec_issues',
    { created_after: '2026-09-01T00:00:00Z' },
    items,
    { createdAt: '2026-09-01T00:00:00Z' },
    { createdAt: '2026-08-31T23:00:00Z' },
  ],
  [
    'mailsec',
    'get_mailsec_issues',
    { created_before: '2026-09-01T00:00:00Z' },
    items,
    { createdAt: 1_788_000_000 },
    { createdAt: 1_790_000_000_000 },
  ],
  ['mailsec', 'get_mailsec_issue', { issue_id: 'a' }, itself, { id: 'a' }, { id: 'b' }],
  ['mailsec', 'get_mailsec_message', { message_id: 'a' }, itself, { id: 'a' }, { id: 'b' }],
  [
    'mailsec',
    'get_mailsec_case_details',
    { case_ids: ['d8f3886d-ca22-4726-8b03-b1e54c1c1961'] },
    items,
    { id: 'D8F3886D-CA22-4726-8B03-B1E54C1C1961' },
    { id: 'b' },
  ],
  ['mailsec', 'list_mailsec_accounts', { account_ids: ['a', 'c'] }, items, { id: 'c' }, { id: 'b' }],
  ['mailsec', 'list_mailsec_accounts', { email: 'ada@münchen.example' }, items, { email: 'Ada@xn--mnchen-3ya.example' }, { email: 'bob@a.example' }],
  [
    'mailsec',
    'list_mailsec_accounts',
    { email: 'ada@a.example' },
    items,
    { email: 'first@a.example', aliases: ['ADA@a.example'] },
    { email: 'bob@a.example' },
  ],
  ['mailsec', 'list_mailsec_accounts', { status: 'active' }, items, { status: 'ACTIVE' }, { status: 'suspended' }],
  ['mailsec', 'list_mailsec_accounts', { role: 'admin' }, items, { role: null }, { role: 'user' }],
  ['mailsec', 'get_mailsec_detections', { detection_ids: ['d'] }, items, { id: 'd' }, { id: 'e' }],
  ['mailsec', 'get_mailsec_detections', { severity: 'high' }, items, { severity: 'High' }, { severity: 'low' }],
  ['mailsec', 'get_mailsec_detections', { enabled: false }, items, { enabled: false }, { enabled: true }],
  ['mailsec', 'get_mailsec_detections', { rollout_state: 'preview' }, items, { rolloutState: 'preview' }, { rolloutState: 'general' }],
  ['mailsec', 'get_mailsec_trusted_entities', { entity_id: 'a', max_history: 0 }, itself, { id: 'a' }, { id: 'b' }],
  ['mailsec', 'get_mailsec_trusted_entities', { kind: 'domain' }, items, { kind: 'domain' }, { kind: 'ip_address' }],
  ['mailsec', 'get_mailsec_trusted_entities', { value: '2001:DB8::1' }, items, { value: '2001:db8:0:0:0:0:0:1' }, { value: '2001:db8::2' }],
  ['mailsec', 'get_mailsec_trusted_entities', { enabled: true }, items, { enabled: true }, { enabled: false }],
  ['browser', 'list_browser_accounts', { email: 'ada' }, result, { email: 'ADA@a.example' }, { email: 'bob@a.example' }],
  ['browser', 'list_browser_accounts', { app_type: 'ATLASSIAN' }, result, { appType: 'atlassian' }, { appType: 'SLACK' }],
  ['browser', 'list_browser_accounts', { employee_id: 'e' }, result, { employeeId: 'e' }, { employeeId: 'f' }],
  ['browser', 'list_browser_accounts', { password_id: 'p' }, result, { passwordId: 'p' }, { passwordId: 'q' }],
  [
    'browser',
    'list_browser_accounts',
    { last_used_after: 1_700_000_000 },
    result,
    { lastUsedTimestamp: 1_700_000_001 },
    { lastUsedTimestamp: 1_600_000_000 },
  ],
  [
    'browser',
    'list_browser_accounts',
    { last_used_before: 1_700_000_000 },
    result,
    { lastUsedTimestamp: 1_600_000_000 },
    { lastUsedTimestamp: 1_800_000_000 },
  ],
  [
    'browser',
    'list_browser_apps',
    { created_after: 1_700_000_000 },
    result,
    { creationTimestamp: 1_700_000_001 },
    { creationTimestamp: 1_600_000_000 },
  ],
  [
    'browser',
    'list_browser_findings',
    { created_after: 1_700_000_000 },
    result,
    { creationTimestamp: 1_700_000_001 },
    { creationTimestamp: 1_600_000_000 },
  ],
  [
    'browser',
    'list_browser_browsers',
    { online_after: 1_700_000_000 },
    result,
    { lastOnlineTimestamp: null },
    { lastOnlineTimestamp: 1_600_000_000 },
  ],
  ['browser', 'list_browser_detections', { severity: 'HIGH' }, result, { severity: 'HIGH' }, { severity: 'LOW' }],
  ['browser', 'list_browser_detections', { detection_type: 'PHISHING' }, result, { detectionType: 'PHISHING' }, { detectionType: 'BLOCKED_URL' }],
  ['browser', 'list_browser_detections', { archived: false }, result, { archived: false }, { archived: true }],
  [
    'browser',
    'list_browser_detections',
    { created_after: 1_700_000_000 },
    result,
    { creationTimestamp: 1_700_000_000 },
    { creationTimestamp: 1_600_000_000 },
  ],
  ...['account', 'app', 'browser', 'detection', 'employee', 'finding'].map(
    (kind): Case => ['browser', `get_browser_${kind}`, { [`${kind}_id`]: 'a' }, itself, { id: 'a' }, { id: 'b' }],
  ),
  ['mfa', 'get_mfa_user_details', { username: 'ada@a.example' }, user, { userName: 'ADA@a.example' }, { userName: 'bob@a.example' }],
  ['crm', 'get_crm_setup_audit_trail', { actions: ['PermSetAssign'] }, rows, { Id: 'a', Action: 'permsetassign' }, { Id: 'a', Action: 'other' }],
  [
    'crm',
    'get_crm_setup_audit_trail',
    { created_after: '2026-09-01T00:00:00Z' },
    rows,
    { Id: 'a', CreatedDate: '2026-09-01T00:00:00.000+0000' },
    { Id: 'a', CreatedDate: '2026-08-01T00:00:00.000+0000' },
  ],
  [
    'crm',
    'get_crm_setup_audit_trail',
    { created_before: '2026-09-01T00:00:00Z' },
    rows,
    { Id: 'a', CreatedDate: '2026-08-01T00:00:00.000+0000' },
    { Id: 'a', CreatedDate: '2026-10-01T00:00:00.000+0000' },
  ],
  [
    'crm',
    'get_crm_report',
    { report_id: '00O000000000001' },
    itself,
    { reportMetadata: { id: '00O000000000001AAA' }, factMap: {} },
    { reportMetadata: { id: '00O000000000002AAA' }, factMap: {} },
  ],
]

test.each(cases)('%s.%s refuses an answer that does not match %j', async (integration, skill, input, answer, right, wrong) => {
  const of = async (...records: Json[]): Promise<unknown> => {
    const body = answer(...records.map((record) => (answer === items || answer === result ? { id: 'a', ...(record as object) } : record)))
    return (await calls[integration](skill, input, () => ({ body }))).result
  }
  expect(await of(right)).toMatchObject({ ok: true })
  expect(await of(wrong)).toMatchObject({ ok: false, effect: 'done', failure: { code: 'answer_not_asked_for' } })
  if (answer !== itself && answer !== user) expect(await of(right, wrong)).toMatchObject({ ok: false, failure: { code: 'answer_not_asked_for' } })
})

/** Inputs of reads that cannot be checked against the answer, with the reason. */
const unchecked: Readonly<Record<string, string>> = {
  'mailsec.list_mailsec_issue_messages issue_id': 'messages do not name their issue',
  'mailsec.get_mailsec_message_search_results search_id': 'messages do not name the search',
  'mailsec.search_mailsec_messages query': "the platform's query language",
  'crm.execute_crm_query query': 'a statement',
  'crm.get_crm_setup_audit_trail user': 'looked up first; an entry names the user by another name',
  'crm.get_crm_setup_audit_trail last': 'counted from now',
  'crm.get_crm_event_log_files from': 'entries are filtered here',
  'crm.get_crm_event_log_files to': 'entries are filtered here',
  'crm.get_crm_event_log_files last': 'entries are filtered here',
  'crm.get_crm_event_log_files where': 'entries are filtered here',
  'crm.list_crm_event_types interval': 'only counts come back',
}
/** Inputs that do not filter, but say how much to read, or how. */
const manner = /^(max_\w+|wait|wait_seconds|messages_per_case|include\w*|time_filter_api|columns|same_device_users)$/

test('every input that narrows a read is checked, or has a reason why not', async () => {
  const plugins = await Promise.all(readdirSync(pluginsFolder).map((id) => loadPluginFolder(join(pluginsFolder, id))))
  const open = plugins.flatMap(({ id, skills }) =>
    [...skills.values()].flatMap(({ impact, document }) => {
      const narrowing = Object.keys((document.input['properties'] ?? {}) as object).filter((name) => !manner.test(name))
      const checked = (document.matches ?? []).map(({ input }) => input)
      return impact === 'read' ? narrowing.filter((name) => !checked.includes(name)).map((name) => `${id}.${document.id} ${name}`) : []
    }),
  )
  expect(open.sort()).toEqual(Object.keys(unchecked).sort())
})
