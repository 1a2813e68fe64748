import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { authScheme } from '../../../runtime/connection/auth/index.ts'
import { derivedOrigins } from '../../../runtime/connection/send/origins.ts'
import type { Json } from '../../../runtime/domain/index.ts'
import { type CallResult, callSkill, loadPluginFolder, type SendResult, type SkillRequest } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { pluginsFolder } from '../fixtures.ts'

/**
 * Tests the crm plugin with older API versions, smaller orgs and simpler answers than the
 * simulator's.
 */
const plugin = await loadPluginFolder(join(pluginsFolder, 'crm'))
const json = { 'content-type': 'application/json' }

type Answer = readonly [status: number, body: Json]
const error = (errorCode: string, message: string): Answer => [400, [{ errorCode, message }]]
const page = (...records: Json[]): Answer => [200, { totalSize: records.length, done: true, records }]

/** Calls a skill. Each request gets an answer by its address, or by its statement if it is a query. */
async function asked(
  id: string,
  input: Json,
  answer: (what: string) => Answer,
): Promise<{ readonly result: CallResult; readonly whats: readonly string[] }> {
  const skill = plugin.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  const whats: string[] = []
  const send = async ({ path, query, auth }: SkillRequest): Promise<SendResult> => {
    const what = String(query.find(([name]) => name === 'q')?.[1] ?? `${path}${auth === 'none' ? ' without a token' : ''}`)
    whats.push(what)
    const [status, body] = answer(what)
    return { effect: 'done', answer: { status, headers: json, body } }
  }
  const host = withHandling({ key: 'key', fields: { instance_url: 'https://acme.my.salesforce.com' }, send })
  return { result: await callSkill(plugin, skill, skill.checkInput(input).input, host), whats }
}

describe('the setup audit trail', () => {
  const entry = { Id: '0Ym1', Action: 'PermSetCreate', CreatedDate: '2026-09-01T00:00:00.000+0000', CreatedById: '0051' }

  test('is read without the fields that an older API version does not have', async () => {
    const { result, whats } = await asked('get_crm_setup_audit_trail', {}, (what) => {
      const missing = ['CreatedByContext', 'DelegateUser'].find((field) => what.includes(field))
      return missing ? error('INVALID_FIELD', `No such column '${missing}' on entity 'SetupAuditTrail'.`) : page(entry)
    })
    expect(result).toMatchObject({ ok: true, output: { entries: [{ id: '0Ym1', action: 'PermSetCreate', delegate_user: null, context: null }] } })
    expect(whats).toHaveLength(3)
    expect(whats[2]).toContain('CreatedBy.Username, ResponsibleNamespacePrefix FROM')
  })

  test('is searched by user name if users cannot be looked up', async () => {
    const { result, whats } = await asked('get_crm_setup_audit_trail', { user: "pat@o'brien.example" }, (what) =>
      what.includes('FROM User ') ? error('INVALID_TYPE', "sObject type 'User' is not supported.") : page(entry),
    )
    expect(result).toMatchObject({ ok: true, output: { entries: [{ id: '0Ym1' }] } })
    expect(whats[1]).toContain("WHERE (CreatedBy.Username = 'pat@o\\'brien.example' OR CreatedBy.Email = ")
  })

  test('finds a user whom only the trail knows, by username alone if the platform refuses more', async () => {
    const { result, whats } = await asked('get_crm_setup_audit_trail', { user: 'ada' }, (what) => {
      if (what.includes('FROM User ')) return page()
      return what.includes(' OR ') ? error('MALFORMED_QUERY', 'unexpected token') : page(entry)
    })
    expect(result).toMatchObject({ ok: true, output: { entries: [{ id: '0Ym1' }] } })
    expect(whats.at(-1)).toContain("WHERE CreatedBy.Username = 'ada' ORDER")
  })

  test('gives user_unknown for a user whom neither users nor trail have', async () => {
    for (const trail of [page(), error('INVALID_FIELD', 'no')]) {
      const { result } = await asked('get_crm_setup_audit_trail', { user: 'ada' }, (what) => (what.includes('FROM User ') ? page() : trail))
      expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'user_unknown' } })
    }
  })
})

describe('event log files', () => {
  const missing = (what: string): Answer | null =>
    what.includes('Interval') ? error('INVALID_FIELD', "No such column 'Interval' on entity 'EventLogFile'.") : null

  test('are read from an API version that has only daily files', async () => {
    const { result, whats } = await asked('get_crm_event_log_files', { event_types: ['Login'] }, (what) => missing(what) ?? page())
    expect(result).toMatchObject({ ok: true, output: { entries: [], files: [] } })
    expect(whats[1]).toContain("LogFileLength FROM EventLogFile WHERE EventType = 'Login' ORDER")
    const hourly = await asked('get_crm_event_log_files', { interval: 'Hourly' }, (what) => missing(what) ?? page())
    expect(hourly.result).toMatchObject({ failure: { code: 'invalid_field' } })
    const types = await asked('list_crm_event_types', { interval: 'Daily' }, (what) => missing(what) ?? page({ EventType: 'Login', files: 3 }))
    expect(types.result).toMatchObject({ output: { event_types: [{ event_type: 'Login', files: 3 }] } })
  })

  test.each<[string, Answer, Json]>([
    ['grouped, with the counts under the requested name', page({ EventType: 'API', files: 2 }, { EventType: 'Login', files: 1 }), [2, 1]],
    ['grouped, with the counts under `expr0`', page({ EventType: 'API', expr0: 2 }, { EventType: 'Login', expr0: 1 }), [2, 1]],
    ['not grouped', page({ EventType: 'API' }, { EventType: 'Login' }, { EventType: 'API' }), [2, 1]],
    ['a refusal to group', error('MALFORMED_QUERY', 'unexpected token: GROUP'), [2, 1]],
  ])('are counted by type if the answer is %s', async (_, first, files) => {
    const all = page({ EventType: 'API' }, { EventType: 'Login' }, { EventType: 'API' })
    const { result } = await asked('list_crm_event_types', {}, (what) => (what.includes('GROUP BY') ? first : all))
    expect(result).toMatchObject({ ok: true, output: { truncated: false } })
    if (result.ok) expect((result.output as { event_types: { files: number }[] }).event_types.map((type) => type.files)).toEqual(files)
  })
})

test('a report with only the required fields is accepted', async () => {
  const report = { reportMetadata: { id: '00O1' }, factMap: {}, groupingsAcross: null, groupingsDown: { groupings: [] } }
  expect((await asked('get_crm_report', { report_id: '00O1' }, () => [200, report])).result).toMatchObject({ ok: true, output: report })
})

test('versions are read with a token if they are refused without one', async () => {
  const { result, whats } = await asked('get_crm_release_notes', {}, (what) =>
    what.endsWith('without a token') ? [401, [{ errorCode: 'INVALID_SESSION_ID', message: 'x' }]] : [200, [{ version: '66.0', label: "Spring '26" }]],
  )
  expect(result).toMatchObject({ ok: true, output: { version: '66.0' } })
  expect(whats).toEqual(['/services/data/ without a token', '/services/data/'])
  expect((await asked('get_crm_release_notes', {}, () => [503, ''])).result).toMatchObject({ failure: { code: 'vendor_unavailable' } })
})

test.each([
  ['https://localhost:9443', 'https://127.0.0.1:9444', true],
  ['https://127.0.0.1:9443', 'https://[::1]:9443', true],
  ['https://127.0.0.1:9443', 'https://evil.example', false],
  ['https://acme.my.salesforce.com', 'https://localhost', false],
])('the token answer for %s may name %s as the instance: %s', (own, said, ok) => {
  const derived = derivedOrigins(plugin, { instance_url: said }, [own, own], (text) => text)
  expect(derived).toMatchObject(
    ok ? { ok, origins: [said] } : { ok, message: expect.stringContaining(`Only these are allowed: ${own}, *.my.salesforce.com.`) },
  )
})

describe('tokens', () => {
  const { grant } = authScheme(plugin.manifest)
  if (!grant) throw new Error('the plugin uses no access tokens')

  test.each<[boolean, number, Json]>([
    [true, 401, [{ errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' }]],
    [true, 401, { message: 'Unauthorized' }],
    [true, 401, ''],
    [false, 401, [{ errorCode: 'INVALID_SESSION_ID', message: 'This session is not valid for use with the REST API' }]],
    [false, 401, [{ errorCode: 'X', message: 'Connected app is not attached to Agent' }]],
    [false, 403, [{ errorCode: 'INVALID_SESSION_ID', message: 'x' }]],
  ])('expired is %s for %i %j', (expired, status, body) => {
    expect(grant.expired({ status, headers: json, body })).toBe(expired)
  })

  test.each<[string, number, Json]>([
    ['invalid_client_id', 400, { error: 'invalid_client_id', error_description: 'client identifier invalid' }],
    ['invalid_client_id', 401, { error: 'invalid_client', error_description: 'client identifier invalid' }],
    ['invalid_client_secret', 400, { error: 'invalid_client', error_description: 'invalid client credentials' }],
    ['invalid_client_secret', 401, { error: 'invalid_client_secret' }],
    ['invalid_grant', 400, { error: 'invalid_grant', error_description: 'no client credentials user enabled' }],
    ['access_denied', 400, { error: 'inactive_user', error_description: 'user is inactive' }],
    ['access_denied', 403, [{ errorCode: 'FORBIDDEN', message: 'Access Denied' }]],
    ['access_denied', 403, { message: 'no' }],
    ['rate_limited', 400, { error: 'rate_limit_exceeded', error_description: 'login rate exceeded' }],
    ['instance_url_unreachable', 400, { error: 'invalid_grant', error_description: 'request not supported on this domain' }],
    ['instance_url_unreachable', 404, { error: 'Not Found' }],
  ])('the failure is %s for %i %j', (code, status, body) => {
    expect(grant.failure({ status, headers: json, body })).toMatchObject({ code })
  })
})
