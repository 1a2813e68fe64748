import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type CallResult, callProbe, callSkill, loadPluginFolder, type SendResult, type SkillRequest } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { pluginsFolder } from '../fixtures.ts'

/**
 * Tests the e-mail security plugin with answers whose shape is not specified: errors, records with
 * more than id, name and status, and answers to writes.
 */
const plugin = await loadPluginFolder(join(pluginsFolder, 'mailsec'))
const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }

interface Answered {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: Json
}

function hostOf({ status = 200, headers = json, body }: Answered, sent: SkillRequest[] = []): ReturnType<typeof withHandling> {
  const send = async (request: SkillRequest): Promise<SendResult> => {
    sent.push(request)
    return { effect: 'done', answer: { status, headers, body } }
  }
  return withHandling({ key: 'key', fields: { base_url: 'https://t.example' }, send })
}

async function answered(id: string, input: Json, answer: Answered, sent?: SkillRequest[]): Promise<CallResult> {
  const skill = plugin.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  return callSkill(plugin, skill, skill.checkInput(input).input, hostOf(answer, sent))
}

const listing = (...items: Json[]): Json => ({ meta: { totalCount: items.length, limit: 50, hasMore: false, nextCursor: null }, items })

describe('an error is recognized in every shape of its body', () => {
  const bodies: Readonly<Record<string, (code: string, message: string) => Answered>> = {
    'code and message under error': (code, message) => ({ body: { error: { code, message } } }),
    'code and message': (code, message) => ({ body: { code, message } }),
    'error is the code': (error, message) => ({ body: { error, message } }),
    'error is the message': (_, error) => ({ body: { error } }),
    'message alone': (_, message) => ({ body: { message } }),
    'a list of errors': (code, message) => ({ body: { errors: [{ code, message }] } }),
  }
  const rows: readonly (readonly [string, string, Json, number, string, string])[] = [
    ['credentials_rejected', 'get_mailsec_issues', {}, 401, 'unauthorized', 'Invalid x-vendor-client-secret'],
    ['auth_header_missing', 'get_mailsec_issues', {}, 401, 'unauthorized', 'Missing header X-Vendor-Client-Secret'],
    ['auth_header_missing', 'get_mailsec_issues', {}, 400, 'bad_request', 'The authentication header is missing'],
    ['role_insufficient', 'get_mailsec_issues', {}, 403, 'access_denied', 'Permission denied'],
    ['role_insufficient', 'get_mailsec_case_details', { case_ids: ['a'] }, 403, 'access_denied', 'Permission denied'],
    ['beta_not_enabled', 'get_mailsec_case_details', { case_ids: ['a'] }, 403, 'beta_not_enabled', 'No access to the beta API'],
    ['not_found', 'get_mailsec_issue', { issue_id: 'a' }, 404, 'not_found', 'Not found'],
    ['endpoint_not_found', 'get_mailsec_issues', {}, 404, 'not_found', 'Not found'],
    ['system_managed', 'delete_mailsec_trusted_entity', { entity_id: 'a' }, 403, 'system_managed', 'This entity is system-managed'],
    ['role_insufficient', 'delete_mailsec_trusted_entity', { entity_id: 'a' }, 403, 'access_denied', 'For administrators of the system only'],
    ['already_exists', 'create_mailsec_trusted_entity', { kind: 'domain', value: 'a.example' }, 409, 'already_exists', 'It already exists'],
  ]
  for (const [shape, body] of Object.entries(bodies)) {
    test.each(rows)(`${shape}: %s for %s`, async (expected, skill, input, status, code, message) => {
      const result = await answered(skill, input, { status, ...body(code, message) })
      expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: expected, vendor: { status } } })
      if (!result.ok) expect(result.failure.message).toContain(message)
    })
  }

  test('without a body the status decides', async () => {
    const of = (status: number, headers = {}): Answered => ({ status, headers, body: '' })
    expect(await answered('get_mailsec_issue', { issue_id: 'a' }, of(404))).toMatchObject({ failure: { code: 'not_found' } })
    expect(await answered('get_mailsec_issue', { issue_id: 'a' }, of(404, html))).toMatchObject({ failure: { code: 'endpoint_not_found' } })
    expect(await answered('get_mailsec_issue', { issue_id: 'a' }, of(403))).toMatchObject({ failure: { code: 'role_insufficient' } })
    expect(await answered('get_mailsec_issue', { issue_id: 'a' }, { status: 403, headers: {}, body: 'Forbidden' })).toMatchObject({
      failure: { message: expect.stringContaining('(403: Forbidden)') },
    })
  })

  test('a 404 of the connection test means a wrong endpoint', async () => {
    for (const body of [{ error: 'Not Found' }, { error: { code: 'not_found', message: 'Not found' } }])
      expect(await callProbe(plugin, 'test', hostOf({ status: 404, body }))).toMatchObject({ failure: { code: 'endpoint_not_found' } })
  })
})

test('records are accepted with only an id, or with fields that are null or of another type', async () => {
  const records: readonly Json[] = [
    { id: 'a' },
    {
      id: 'a',
      name: null,
      status: null,
      severity: null,
      detection: { id: 'd' },
      assignee: { email: 'a@b.example' },
      createdAt: 1_760_000_000,
      remediationActions: null,
    },
  ]
  for (const record of records) {
    expect(await answered('get_mailsec_issues', {}, { body: listing(record) })).toMatchObject({ ok: true, output: { issues: [record], total: 1 } })
    expect(await answered('get_mailsec_issue', { issue_id: 'a' }, { body: record })).toEqual({ ok: true, output: { issue: record } })
  }
  for (const message of [
    { id: 'a' },
    { id: 'a', headers: [{ name: 'From', value: 'a@b.example' }], content: null, attachments: null, receivedAt: 1 },
  ])
    expect(await answered('get_mailsec_message', { message_id: 'a' }, { body: message })).toEqual({ ok: true, output: { message } })
  for (const [skill, name] of [
    ['list_mailsec_accounts', 'accounts'],
    ['get_mailsec_detections', 'detections'],
    ['get_mailsec_trusted_entities', 'entities'],
  ] as const)
    expect(await answered(skill, {}, { body: listing({ id: 'a', name: null, status: null, enabled: null, severity: null }) })).toMatchObject({
      output: { [name]: [{ id: 'a' }] },
    })
  expect(await answered('get_mailsec_trusted_entities', {}, { body: { meta: null, items: null } })).toMatchObject({ output: { entities: [] } })
})

test.each<[string, Json, Json]>([
  ['update_mailsec_issue', { issue_id: 'a', status: 'open' }, { issue: null }],
  ['update_mailsec_case_status', { case_id: 'a', status: 'open' }, { case: null }],
  ['update_mailsec_case_statuses', { case_ids: ['a'], status: 'open' }, { cases: null }],
  ['update_mailsec_account_settings', { account_id: 'a', vip: true }, { account: null }],
  ['update_mailsec_detections', { detection_ids: ['a'], enabled: true, scope: 'global' }, { detections: null }],
  ['create_mailsec_trusted_entity', { kind: 'domain', value: 'a.example' }, { entity: null }],
  ['update_mailsec_trusted_entity', { entity_id: 'a', enabled: false }, { entity: null }],
  ['mark_mailsec_messages_suspicious', { message_ids: ['a'] }, { status: null, message_ids: null }],
  ['mark_mailsec_messages_sensitive', { message_ids: ['a'], sensitive: true }, { status: null, message_ids: null }],
])('a write with an empty answer is done: %s', async (skill, input, output) => {
  for (const [status, headers] of [
    [204, {}],
    [200, json],
    [202, {}],
  ] as const)
    expect(await answered(skill, input, { status, headers, body: '' })).toEqual({ ok: true, output })
  expect(await answered(skill, input, { headers: html, body: '<html></html>' })).toMatchObject({ ok: false, effect: 'unknown' })
})

test('only the given form of a case update is sent: one for all cases, or one for each', async () => {
  const sent: SkillRequest[] = []
  const answer = { body: [{ id: 'a' }] }
  expect(await answered('update_mailsec_case_statuses', { case_ids: ['a'], status: 'open' }, answer, sent)).toMatchObject({
    ok: true,
    output: { cases: [{ id: 'a' }], all_done: true, done: 1 },
  })
  await answered('update_mailsec_case_statuses', { cases: [{ id: 'a', status: 'open' }] }, answer, sent)
  expect(sent.map(({ body }) => body)).toEqual([{ caseIds: ['a'], status: 'open' }, { cases: [{ id: 'a', status: 'open' }] }])
})

test.each([{ id: 'a' }, { jobId: 'a' }, { searchId: 'a', status: 'PENDING' }])('the id of a started search is read from %j', async (body) => {
  const { status = null } = body as { status?: string }
  expect(await answered('search_mailsec_messages', { query: 'x' }, { status: 202, body })).toMatchObject({
    ok: true,
    output: { search_id: 'a', status, done: false },
  })
})

test('a search without an id gives search_without_id', async () => {
  for (const wait of [false, true])
    expect(await answered('search_mailsec_messages', { query: 'x', wait }, { body: {} })).toMatchObject({ failure: { code: 'search_without_id' } })
})

test('the history of an entity comes with it, or is requested, or is null', async () => {
  const read = async (...answers: readonly Answered[]): Promise<unknown> => {
    const skill = plugin.skills.get('get_mailsec_trusted_entities')
    if (!skill) throw new Error('no such skill')
    let asked = 0
    const send = async (): Promise<SendResult> => ({ effect: 'done', answer: { status: 200, headers: json, ...answers[asked++] } as never })
    const host = withHandling({ key: 'key', fields: { base_url: 'https://t.example' }, send })
    return callSkill(plugin, skill, skill.checkInput({ entity_id: 'a', max_history: 1 }).input, host)
  }
  const entity = { id: 'a' }
  expect(await read({ body: { ...entity, history: [{ at: 1 }, { at: 2 }] } })).toMatchObject({
    output: { entities: [{ id: 'a', history: [{ at: 1 }] }] },
  })
  expect(await read({ body: entity }, { body: listing({ at: 3 }) })).toMatchObject({ output: { entities: [{ id: 'a', history: [{ at: 3 }] }] } })
  expect(await read({ body: entity }, { status: 404, body: { error: 'Not Found' } })).toMatchObject({
    output: { entities: [{ id: 'a', history: null }] },
  })
  expect(await read({ body: entity }, { status: 403, body: {} })).toMatchObject({ failure: { code: 'role_insufficient' } })
})

test('the answer for an unfinished search needs no list, and a failed search is an error', async () => {
  const look = (body: Json): Promise<CallResult> => answered('get_mailsec_message_search_results', { search_id: 'a', max_items: 1 }, { body })
  expect(await look({ id: 'a', status: 'RUNNING' })).toEqual({
    ok: true,
    output: { status: 'RUNNING', done: false, messages: [], total: 0, truncated: false },
  })
  for (const status of ['FAILED', 'CANCELLED']) expect(await look({ id: 'a', status })).toMatchObject({ failure: { code: 'search_failed' } })
  const done = { status: 'DONE', meta: { totalCount: 2, limit: 1, hasMore: true, nextCursor: 'x' }, items: [{ id: 'm' }] }
  expect(await look(done)).toMatchObject({ output: { done: true, messages: [{ id: 'm' }], total: 2, truncated: true } })
  expect(await look({ status: 'DONE', items: [{ id: 'm' }] })).toMatchObject({ output: { messages: [{ id: 'm' }], total: 1, truncated: false } })
})
