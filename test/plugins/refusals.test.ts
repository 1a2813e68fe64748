import { describe, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { type Answered, answering, html } from './answering.ts'

/** Tests what a refusal says: the missing role, the missing header, or that the answer is a web page. */
const calls = {
  mailsec: await answering('mailsec'),
  browser: await answering('browser'),
  mfa: await answering('mfa'),
  crm: await answering('crm'),
}
type Integration = keyof typeof calls

const crmErrors = (errorCode: string, message: string): Json => [{ errorCode, message }]

/** Every shipped skill with its required inputs, and the rights that it says its credentials need. */
const skills: readonly (readonly [Integration, string, Json, string])[] = [
  ['mailsec', 'get_mailsec_issues', {}, 'the role Issue Responder'],
  ['mailsec', 'get_mailsec_issues', { created_after: '2026-09-01T00:00:00Z' }, 'the role Analyst'],
  ['mailsec', 'get_mailsec_issue', { issue_id: 'a' }, 'the role Issue Responder'],
  ['mailsec', 'list_mailsec_issue_messages', { issue_id: 'a' }, 'the role Issue Responder'],
  ['mailsec', 'get_mailsec_case_details', { case_ids: ['a'] }, 'the role Issue Responder'],
  ['mailsec', 'search_mailsec_messages', { query: 'x' }, 'the role Analyst'],
  ['mailsec', 'get_mailsec_message_search_results', { search_id: 'a' }, 'the role Analyst'],
  ['mailsec', 'get_mailsec_message', { message_id: 'a' }, 'the role Issue Responder'],
  ['mailsec', 'get_mailsec_message', { message_id: 'a', include: ['content'] }, 'the role Email Content Admin'],
  ['mailsec', 'list_mailsec_accounts', {}, 'any admin role'],
  ['mailsec', 'get_mailsec_detections', {}, 'any admin role'],
  ['mailsec', 'update_mailsec_issue', { issue_id: 'a', status: 'open' }, 'the role Issue Responder'],
  ['mailsec', 'update_mailsec_case_status', { case_id: 'a', status: 'open' }, 'the role Issue Responder'],
  ['mailsec', 'update_mailsec_case_statuses', { case_ids: ['a'], status: 'open' }, 'the role Issue Responder'],
  ['mailsec', 'mark_mailsec_messages_suspicious', { message_ids: ['a'] }, 'the role Analyst'],
  ['mailsec', 'mark_mailsec_messages_sensitive', { message_ids: ['a'], sensitive: true }, 'the role Analyst'],
  ['mailsec', 'get_mailsec_trusted_entities', {}, 'the role Analyst or Settings Admin'],
  ['mailsec', 'get_mailsec_trusted_entities', { entity_id: 'a' }, 'the role Analyst or Settings Admin'],
  ['mailsec', 'create_mailsec_trusted_entity', { kind: 'domain', value: 'a.example' }, 'the role Analyst or Settings Admin'],
  ['mailsec', 'update_mailsec_trusted_entity', { entity_id: 'a', enabled: true }, 'the role Analyst or Settings Admin'],
  [
    'mailsec',
    'bulk_update_mailsec_trusted_entities',
    { operations: [{ operation: 'delete', entity_id: 'a' }] },
    'the role Analyst or Settings Admin',
  ],
  ['mailsec', 'delete_mailsec_trusted_entity', { entity_id: 'a' }, 'the role Analyst or Settings Admin'],
  ['mailsec', 'update_mailsec_account_settings', { account_id: 'a', vip: true }, 'the role Settings Admin'],
  ['mailsec', 'update_mailsec_detections', { detection_ids: ['a'], enabled: true, scope: 'global' }, 'the role Analyst'],
  ...['account', 'app', 'browser', 'detection', 'employee', 'finding'].flatMap((kind): (readonly [Integration, string, Json, string])[] => [
    ['browser', `list_browser_${kind}s`, {}, 'an API key with the level Read only'],
    ['browser', `get_browser_${kind}`, { [`${kind}_id`]: 'a' }, 'an API key with the level Read only'],
  ]),
  ['browser', 'archive_browser_detection', { detection_id: 'a' }, 'an API key with the level Full access'],
  ['browser', 'delete_browser_account', { account_id: 'a' }, 'an API key with the level Full access'],
  ['browser', 'set_browser_employee_licence', { employee_id: 'a', licensed: true }, 'an API key with the level Full access'],
  ['browser', 'update_browser_app', { app_id: 'a', notes: null }, 'an API key with the level Full access'],
  ['mfa', 'get_mfa_user_details', { username: 'a' }, 'the capability User management (read)'],
  ['mfa', 'suspend_mfa_user', { username: 'a' }, 'the capability User status management'],
  ['mfa', 'activate_mfa_user', { username: 'a' }, 'the capability User status management'],
  ['mfa', 'toggle_mfa_user_bypass', { username: 'a', bypass: 'disabled' }, 'the capability User status management'],
  ['mfa', 'unpair_mfa_device', { username: 'a', device_id: '1' }, 'the capability Device management'],
  ['crm', 'create_crm_record', { object: 'Case', fields: { Subject: 'a' } }, 'the right to create records of the object'],
  ['crm', 'update_crm_record', { object: 'Case', record_id: 'a', fields: { Subject: 'a' } }, 'the right to edit the record'],
  ['crm', 'upsert_crm_record', { object: 'Case', external_id_field: 'X__c', external_id: 'a', fields: {} }, 'the rights to create and to edit'],
  ['crm', 'delete_crm_record', { object: 'Case', record_id: 'a' }, 'the right to delete the record'],
  ['crm', 'execute_crm_query', { query: 'SELECT Id FROM User' }, 'the right to read the objects and fields'],
  ['crm', 'get_crm_report', { report_id: 'a' }, 'Run Reports'],
  ['crm', 'get_crm_setup_audit_trail', {}, 'View Setup and Configuration'],
  ['crm', 'get_crm_event_log_files', {}, 'View Event Log Files'],
  ['crm', 'list_crm_event_types', {}, 'View Event Log Files'],
  ['crm', 'get_crm_release_notes', {}, 'API Enabled'],
]

const refusals: Readonly<Record<Integration, Answered>> = {
  mailsec: { status: 403, body: { error: { code: 'permission_denied', message: 'No.' } } },
  browser: { status: 403, body: { message: 'Forbidden' } },
  mfa: { status: 403, body: { errorId: 403, errorMsg: 'No.' } },
  crm: { status: 403, body: crmErrors('INSUFFICIENT_ACCESS', 'No.') },
}

test.each(skills)('an error for missing rights says what is needed: %s.%s %j', async (integration, skill, input, needs) => {
  const { result } = await calls[integration](skill, input, () => refusals[integration])
  expect(result).toMatchObject({ ok: false, effect: 'refused' })
  expect(!result.ok && result.failure.message).toContain(`${integration}.${skill} needs `)
  expect(!result.ok && result.failure.message).toContain(needs)
})

test('covers every skill', async () => {
  const named = new Set(skills.map(([integration, skill]) => `${integration}.${skill}`))
  expect(named.size).toBe(52)
})

test.each<[number, Json]>([
  [401, { error: { code: 'authentication_header_missing', message: 'Unauthorized' } }],
  [401, { code: 'MISSING_AUTH_HEADER' }],
  [403, { error: 'no_authentication_header', message: 'Forbidden' }],
  [400, { errors: [{ code: 'MissingHeader', message: 'Bad request' }] }],
  [401, { error: { code: 401, message: 'Missing header X-Vendor-Client-Secret' } }],
])('a missing header gives auth_header_missing, even if only the code says so: %i %j', async (status, body) => {
  const { result } = await calls.mailsec('get_mailsec_issues', {}, () => ({ status, body }))
  expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'auth_header_missing' } })
})

test('a wrong header gives credentials_rejected', async () => {
  for (const code of ['invalid_authentication_header', 'unauthorized', 'token_missing'])
    expect((await calls.mailsec('get_mailsec_issues', {}, () => ({ status: 401, body: { error: { code } } }))).result).toMatchObject({
      failure: { code: 'credentials_rejected' },
    })
})

describe('reports a web page instead of an answer', () => {
  const inputs: readonly (readonly [Integration, string, Json])[] = [
    ['mailsec', 'get_mailsec_issues', {}],
    ['mailsec', 'update_mailsec_issue', { issue_id: 'a', status: 'open' }],
    ['browser', 'list_browser_accounts', {}],
    ['browser', 'update_browser_app', { app_id: 'a', notes: null }],
    ['mfa', 'suspend_mfa_user', { username: 'a' }],
    ['crm', 'get_crm_report', { report_id: 'a' }],
    ['crm', 'update_crm_record', { object: 'Case', record_id: 'a', fields: { Subject: 'a' } }],
  ]
  test.each(inputs)('%s.%s', async (integration, skill, input) => {
    for (const status of [502, 503, 504]) {
      const page = { status, headers: html, body: `<html><head><title>${status} Bad Gateway</title></head></html>` }
      const { result } = await calls[integration](skill, input, () => page)
      expect(result).toMatchObject({ ok: false, failure: { code: 'vendor_unavailable' } })
      expect(!result.ok && result.failure.message).toContain(`(${status}: the page "${status} Bad Gateway")`)
    }
    const { result } = await calls[integration](skill, input, () => ({ status: 503, headers: {}, body: '<!DOCTYPE html><p>Down' }))
    expect(!result.ok && result.failure.message).toContain('(503: a page)')
  })
})

test.each<[number, Json]>([
  [409, { error: { code: 'already_exists', message: 'No.' } }],
  [409, { error: { code: 'duplicate', message: 'No.' } }],
  [409, { error: { code: 'duplicate_entity', message: 'No.' } }],
  [409, { error: { code: 'conflict', message: 'Conflict' } }],
  [422, { code: 'ENTITY_EXISTS' }],
  [400, { message: 'A trusted entity with this value already exists.' }],
  [400, { message: 'Duplicate value.' }],
])('a duplicate entity gives already_exists: %i %j', async (status, body) => {
  const { result } = await calls.mailsec('create_mailsec_trusted_entity', { kind: 'domain', value: 'a.example' }, () => ({ status, body }))
  expect(result).toMatchObject({
    ok: false,
    effect: 'refused',
    failure: { code: 'already_exists', message: expect.stringContaining('A duplicate.') },
  })
})

test("the org's request limit has an error code of its own, and is not retried", async () => {
  for (const [skill, input] of [
    ['execute_crm_query', { query: 'SELECT Id FROM User' }],
    ['get_crm_report', { report_id: 'a' }],
    ['get_crm_setup_audit_trail', {}],
  ] as const) {
    const { result, sent } = await calls.crm(skill, input, () => ({
      status: 403,
      body: crmErrors('REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.'),
    }))
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'request_limit_exceeded' } })
    expect(sent).toHaveLength(1)
  }
})

test.each<[string, string, Json, string]>([
  ['execute_crm_query', '/query', { query: 'SELECT Id FROM User' }, 'api_version_unsupported'],
  ['create_crm_record', '/sobjects', { object: 'Nope', fields: { A: 1 } }, 'invalid_object'],
  ['get_crm_report', '/analytics', { report_id: 'a' }, 'not_found'],
  ['delete_crm_record', '/sobjects', { object: 'Case', record_id: 'a' }, 'not_found'],
])('the path decides what a CRM 404 means: %s', async (skill, _, input, code) => {
  const { result } = await calls.crm(skill, input, () => ({ status: 404, body: crmErrors('NOT_FOUND', 'The requested resource does not exist') }))
  expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code } })
})

const writes: readonly (readonly [Integration, string, Json])[] = [
  ['mailsec', 'update_mailsec_issue', { issue_id: 'a', status: 'open' }],
  ['mailsec', 'update_mailsec_trusted_entity', { entity_id: 'a', enabled: false }],
  ['browser', 'update_browser_app', { app_id: 'a', notes: null }],
  ['mfa', 'suspend_mfa_user', { username: 'a' }],
  ['crm', 'update_crm_record', { object: 'Case', record_id: 'a', fields: { Subject: 'a' } }],
]

test.each(writes)('a request that timed out at the vendor leaves %s.%s in doubt', async (integration, skill, input) => {
  for (const status of [408, 499])
    for (const answer of [{ body: { message: 'Request Timeout' } }, { headers: html, body: '<html></html>' }])
      expect((await calls[integration](skill, input, () => ({ status, ...answer }))).result).toMatchObject({
        ok: false,
        effect: 'unknown',
        failure: { code: 'vendor_unavailable' },
      })
})

test.each(writes)('a redirect means that the address of %s.%s is wrong', async (integration, skill, input) => {
  for (const status of [301, 307, 308])
    expect(
      (await calls[integration](skill, input, () => ({ status, headers: { ...html, location: 'https://other.example/' } }))).result,
    ).toMatchObject({
      ok: false,
      effect: 'refused',
      failure: { code: integration === 'crm' ? 'instance_url_unreachable' : 'endpoint_not_found' },
    })
})

describe('an error in an answer with a success status', () => {
  const errors: readonly Json[] = [
    { error: { code: 'internal', message: 'It failed.' } },
    { success: false, message: 'It failed.' },
    { ok: false },
    { errors: [{ code: 'x', message: 'It failed.' }] },
    { status: 'error', message: 'It failed.' },
    { status: 'FAILED' },
  ]
  test.each<[Integration, string, Json]>([
    ['mailsec', 'update_mailsec_issue', { issue_id: 'a', status: 'open' }],
    ['mailsec', 'update_mailsec_case_status', { case_id: 'a', status: 'open' }],
    ['mailsec', 'update_mailsec_account_settings', { account_id: 'a', vip: true }],
    ['mailsec', 'mark_mailsec_messages_suspicious', { message_ids: ['a'] }],
    ['mailsec', 'create_mailsec_trusted_entity', { kind: 'domain', value: 'a.example' }],
    ['mailsec', 'delete_mailsec_trusted_entity', { entity_id: 'a' }],
    ['browser', 'update_browser_app', { app_id: 'a', notes: null }],
    ['browser', 'archive_browser_detection', { detection_id: 'a' }],
    ['browser', 'delete_browser_account', { account_id: 'a' }],
  ])('leaves %s.%s in doubt', async (integration, skill, input) => {
    for (const body of errors)
      expect((await calls[integration](skill, input, () => ({ body }))).result).toMatchObject({
        ok: false,
        effect: 'unknown',
        failure: { code: 'answer_is_error' },
      })
  })

  test.each<[string, Json]>([
    ['create_crm_record', { object: 'Case', fields: { A: 1 } }],
    ['update_crm_record', { object: 'Case', record_id: 'a', fields: { A: 1 } }],
    ['upsert_crm_record', { object: 'Case', external_id_field: 'X__c', external_id: 'a', fields: { A: 1 } }],
    ['delete_crm_record', { object: 'Case', record_id: 'a' }],
  ])('leaves crm.%s in doubt', async (skill, input) => {
    for (const body of [{ message: 'Not Found' }, { error: 'unknown path' }, { errorCode: 'X' }, { errors: [{ message: 'x' }] }, false])
      expect((await calls.crm(skill, input, () => ({ body }))).result).toMatchObject({
        ok: false,
        effect: 'unknown',
        failure: { code: 'answer_is_error' },
      })
    expect((await calls.crm(skill, input, () => ({ body: { id: 'a', success: true, errors: [] } }))).result).toMatchObject({ ok: true })
    expect((await calls.crm(skill, input, () => ({ status: 204 }))).result).toMatchObject({ ok: true })
  })

  test('is not assumed if a record has fields of the same names', async () => {
    for (const more of [{ error: null }, { errors: [] }, { status: 'failed' }, { success: true }]) {
      const record = { id: 'a', ...more }
      expect((await calls.mailsec('get_mailsec_issue', { issue_id: 'a' }, () => ({ body: record }))).result).toMatchObject({ ok: true })
      expect(
        (await calls.browser('get_browser_account', { account_id: 'a' }, () => ({ body: { result: record, error: null } }))).result,
      ).toMatchObject({
        ok: true,
      })
    }
  })
})
