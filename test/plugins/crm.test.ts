import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assertSelect } from '../../plugins/crm/lib/select-only.ts'
import type { Json } from '../../runtime/domain/index.ts'
import { quote } from '../../runtime/expressions/index.ts'
import { type CallResult, checkCredentials, loadPluginFolder, matchRow, originFields, type Plugin } from '../../runtime/plugin/index.ts'
import { type CrmSimulator, type Failure, idOf, startCrmSimulator } from '../simulators/crm/index.ts'
import { textOf } from '../simulators/crm/soql/literals.ts'
import { makePki } from '../simulators/pki.ts'
import { type CrmHost, crmHost } from './crm-host.ts'
import { pluginsFolder } from './fixtures.ts'

/** The crm plugin against the strict simulator: sealed secret, real tokens, handlers in isolates, real HTTPS. */
const pki = makePki()
const client = { clientId: '3MVG9.consumer_key', clientSecret: 'canary+secret/4711=' }
const now = Date.UTC(2026, 9, 15, 12, 30)
const day = 86_400_000
/** How often the manifest lets a request that reads be tried. */
const tries = 4
let plugin: Plugin
let simulator: CrmSimulator
let host: CrmHost

beforeAll(async () => {
  plugin = await loadPluginFolder(join(pluginsFolder, 'crm'))
  simulator = await startCrmSimulator({ pki, ...client, contacts: 4500, now: () => now })
})
beforeEach(async () => {
  simulator.reset()
  host = await hostAs({})
  return () => host.close()
})
afterAll(() => simulator.close())

type Changes = Partial<Parameters<typeof crmHost>[2]>

function hostAs(changes: Changes): Promise<CrmHost> {
  return crmHost(plugin, pki.ca, { instanceUrl: simulator.url, ...client, ...changes }, now)
}

async function tested(changes: Changes = {}): Promise<CallResult | null> {
  const other = await hostAs(changes)
  try {
    return await other.test()
  } finally {
    await other.close()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: outputs of many shapes
async function output(id: string, input: Json, from = host): Promise<any> {
  const result = await from.call(id, input)
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
  return result.output
}

const account = idOf('001', 7)
const read = (): Promise<CallResult> => host.call('execute_crm_query', { query: 'SELECT Id FROM Account LIMIT 1' })
const write = (): Promise<CallResult> =>
  host.call('update_crm_record', { object: 'Account', record_id: account, fields: { Website: 'https://new.example' } })
const paths = (): readonly string[] => simulator.exchanges.map(({ method, path }) => `${method} ${path}`)
/** Bytes of the largest of this process's isolate processes. */
function isolatesResident(): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const ours =
          Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('isolate/child.ts')
        return ours ? Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024 : 0
      } catch {
        return 0
      }
    })
  return Math.max(...sizes)
}

const refused = (code: string) => expect.objectContaining({ ok: false, failure: expect.objectContaining({ code }) })

describe('what may be saved', () => {
  const given = { instance_url: 'https://acme.my.salesforce.com', client_id: client.clientId, client_secret: client.clientSecret }
  const faults = (changes: object): readonly string[] => {
    const checked = checkCredentials(plugin.manifest.document, { ...given, ...changes })
    return checked.ok ? [] : checked.places.map(({ field, message }) => `${field}: ${message}`)
  }

  test('the host of an org, of a sandbox, with a token host and a version', () => {
    expect(faults({})).toEqual([])
    expect(
      faults({ instance_url: 'https://acme--uat.sandbox.my.salesforce.com', auth_url: 'https://acme.my.salesforce.com', api_version: '66.0' }),
    ).toEqual([])
    expect(faults({ auth_url: 'https://login.salesforce.com' })).toEqual([])
    expect(checkCredentials(plugin.manifest.document, given)).toMatchObject({ ok: true, secrets: { client_secret: client.clientSecret } })
  })

  test.each([
    [{ instance_url: 'https://login.salesforce.com' }, 'shared login host'],
    [{ instance_url: 'https://test.salesforce.com' }, 'shared login host'],
    [{ instance_url: 'https://acme.lightning.force.com' }, 'Lightning pages'],
    [{ instance_url: 'https://acme.my.salesforce-setup.com' }, 'Setup pages'],
    [{ instance_url: 'https://acme--c.vf.force.com' }, 'pages or files'],
    [{ instance_url: 'https://acme.my.salesforce.com/lightning/page/home' }, 'address of a page'],
    [{ instance_url: 'https://acme.my.salesforce.com/services/oauth2/token' }, 'the connector adds'],
    [{ instance_url: 'https://acme.my.salesforce.com/' }, 'slash'],
    [{ instance_url: 'http://acme.my.salesforce.com' }, 'https://'],
    [{ instance_url: 'acme.my.salesforce.com' }, 'https://'],
    [{ instance_url: 'https://acme.my.salesforce.com?x=1' }, 'query string'],
    [{ instance_url: ' https://acme.my.salesforce.com' }, 'spaces'],
    [{ instance_url: 'instance_url=https://acme.my.salesforce.com' }, 'line'],
    [{ client_id: '"3MVG9"' }, 'quotes'],
    [{ client_id: '3MVG9 abc' }, 'space'],
    [{ client_id: 'A'.repeat(64) }, 'Consumer Secret'],
    [{ client_id: 'https://acme.my.salesforce.com' }, 'Consumer Key'],
    [{ client_secret: '3MVG9abc' }, 'Consumer Key'],
    [{ client_secret: 'client_secret: abc' }, 'line'],
    [{ client_secret: 'ab c' }, 'space'],
    [{ auth_url: 'https://acme.my.salesforce.com/services/oauth2/token' }, 'the connector adds'],
    [{ api_version: 'v66' }, 'as the platform does'],
    [{ client_secret: '' }, 'missing'],
    [{ instance_url: undefined }, 'missing'],
  ])('refused: %j', (changes, why) => {
    expect(faults(changes)).toEqual([expect.stringContaining(why)])
  })

  test('whoever changes where requests go gives the secret again', () => {
    expect(originFields(plugin)).toEqual(expect.arrayContaining(['instance_url', 'auth_url']))
  })
})

describe('the connection, and the rows of section 7.3', () => {
  test('token and a query that every user may make', async () => {
    expect(await tested()).toMatchObject({ ok: true })
    expect(paths().slice(-3).toSorted()).toEqual(['GET /services/data/', 'GET /services/data/v67.0/query', 'POST /services/oauth2/token'])
    const asked = simulator.exchanges.find(({ path }) => path === '/services/oauth2/token')
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    })
  })

  test('Invalid Client ID', async () => {
    expect(await tested({ clientId: 'another' })).toMatchObject({
      ok: false,
      effect: 'not_sent',
      failure: {
        code: 'invalid_client_id',
        message: expect.stringContaining('client identifier invalid'),
        remedy: expect.stringContaining('Consumer Key'),
      },
    })
  })

  test('Invalid Client Secret: wrong, and rotated since', async () => {
    expect(await tested({ clientSecret: 'another' })).toEqual(refused('invalid_client_secret'))
    await output('execute_crm_query', { query: 'SELECT COUNT() FROM Account' })
    simulator.rotateSecret('rotated')
    expect(await read()).toMatchObject({ ok: true })
    simulator.expireTokens()
    expect(await read()).toEqual(refused('invalid_client_secret'))
    expect(await write()).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'invalid_client_secret' } })
  })

  test.each([
    ['flow_disabled', 'invalid_grant'],
    ['no_run_as', 'invalid_grant'],
    ['user_denied', 'access_denied'],
    ['app_denied', 'access_denied'],
    ['access_denied', 'access_denied'],
    ['login_host', 'instance_url_unreachable'],
  ] as const)('Invalid Grant, Access Denied, a login host: %s is %s', async (policy, code) => {
    simulator.setTokenPolicy(policy)
    expect(await tested()).toEqual(refused(code))
    expect(await write()).toMatchObject({ effect: 'not_sent', failure: { code } })
  })

  test('Instance URL Unreachable: nobody there', async () => {
    expect(await tested({ instanceUrl: 'https://127.0.0.1:9' })).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'network' } })
  })

  test('Instance URL Unreachable: a page in place of the token endpoint, of the versions, of the API', async () => {
    simulator.fail({ failure: 'html', path: '/services/oauth2' })
    expect(await tested()).toEqual(refused('answer_not_understood'))
    simulator.fail({ failure: 'html', path: '/services/data/' })
    expect(await tested()).toEqual(refused('answer_not_understood'))
    simulator.fail({ failure: 'html', path: '/services/data/v67.0' })
    expect(await tested()).toEqual(refused('answer_not_understood'))
  })

  test('API Permission Error: a token that the REST API refuses is not asked for again and again', async () => {
    simulator.setUnfitTokens(true)
    expect(await tested()).toMatchObject({
      ok: false,
      failure: { code: 'api_permission_error', message: expect.stringContaining('not valid for use with the REST API') },
    })
    expect(simulator.tokens).toBe(1)
  })

  test.each<[Failure['failure']]>([['insufficient_access'], ['api_disabled']])('API Permission Error: %s', async (failure) => {
    simulator.fail({ failure, path: '/services/data/v67.0', times: 2 })
    expect(await read()).toEqual(refused('api_permission_error'))
    expect(await write()).toMatchObject({ effect: 'refused', failure: { code: 'api_permission_error' } })
    expect(simulator.writesOf(account)).toBe(0)
  })

  test('an expired token is renewed, and the call made once', async () => {
    expect(await read()).toMatchObject({ ok: true })
    simulator.expireTokens()
    expect(await write()).toMatchObject({ ok: true })
    expect(simulator.writesOf(account)).toBe(1)
    expect(simulator.tokens).toBe(2)
  })

  test('a token that is refused twice is an error', async () => {
    simulator.fail({ failure: 'session_expired', path: '/services/data/v67.0/sobjects', times: 2 })
    expect(await write()).toMatchObject({ effect: 'refused', failure: { code: 'credentials_rejected' } })
  })

  test('the newest version is used, or the one that the connection is kept at', async () => {
    await read()
    expect(paths()).toContain('GET /services/data/v67.0/query')
    const pinned = await hostAs({ more: { api_version: '62.0' } })
    await output('execute_crm_query', { query: 'SELECT COUNT() FROM Account' }, pinned)
    await pinned.close()
    expect(paths().at(-1)).toBe('GET /services/data/v62.0/query')
    expect(await tested({ more: { api_version: '20.0' } })).toEqual(refused('api_version_unsupported'))
    expect(await tested({ more: { api_version: '99.0' } })).toEqual(refused('not_found'))
  })

  test('an instance that the token answer names must be of the platform', async () => {
    simulator.setInstanceUrl('https://evil.example')
    expect(await write()).toMatchObject({ effect: 'not_sent', failure: { code: 'derived_origin_refused' } })
  })

  test('the token host is asked where one is given, and requests go where its answer says', async () => {
    const elsewhere = { instanceUrl: 'https://127.0.0.1:9', more: { auth_url: simulator.url, api_version: '66.0' } }
    expect(await tested(elsewhere)).toMatchObject({ ok: true })
  })

  test('the secret is sent to the token endpoint and nowhere else', async () => {
    await read()
    await write()
    const holding = simulator.exchanges.filter((exchange) => decodeURIComponent(JSON.stringify(exchange)).includes(client.clientSecret))
    expect(new Set(holding.map(({ path }) => path))).toEqual(new Set(['/services/oauth2/token']))
  })
})

describe('records', () => {
  test('created, changed, deleted', async () => {
    const { record_id: id, object } = await output('create_crm_record', { object: 'Case', fields: { Subject: 'O\'Brien "x"', Priority: 'High' } })
    expect(object).toBe('Case')
    expect(simulator.find('Case', id)).toMatchObject({ Subject: 'O\'Brien "x"', Priority: 'High' })
    expect(await output('update_crm_record', { object: 'Case', record_id: id, fields: { Priority: 'Low', Subject: null } })).toEqual({
      record_id: id,
      updated: true,
    })
    expect(simulator.find('Case', id)).toMatchObject({ Subject: null, Priority: 'Low' })
    expect(await output('delete_crm_record', { object: 'Case', record_id: id })).toEqual({ record_id: id, deleted: true })
    expect(simulator.find('Case', id)).toMatchObject({ IsDeleted: true })
  })

  test('a record that is deleted already is deleted; one that is not found is an error', async () => {
    const gone = { object: 'Account', record_id: account }
    await output('delete_crm_record', gone)
    expect(await output('delete_crm_record', gone)).toEqual({ record_id: account, deleted: true })
    expect(simulator.writesOf(account)).toBe(1)
    expect(await host.call('delete_crm_record', { ...gone, record_id: idOf('001', 99_999) })).toEqual(refused('not_found'))
    expect(await host.call('update_crm_record', { ...gone, fields: { Name: 'a' } })).toEqual(refused('record_deleted'))
  })

  const upsert = { object: 'Case', external_id_field: 'Alert_Id__c', external_id: 'ACME/SIEM 17 é?', fields: { Subject: 'a' } }

  test('upserted: created, then changed', async () => {
    const first = await output('upsert_crm_record', upsert)
    expect(first).toEqual({ record_id: expect.stringMatching(/^500/), created: true })
    expect(await output('upsert_crm_record', { ...upsert, fields: { Subject: 'b' } })).toEqual({ ...first, created: false })
    expect(simulator.find('Case', first.record_id)).toMatchObject({ Alert_Id__c: upsert.external_id, Subject: 'b' })
  })

  test('upserted with an old version, whose answers say less', async () => {
    const old = await hostAs({ more: { api_version: '45.0' } })
    expect(await output('upsert_crm_record', upsert, old)).toMatchObject({ created: true })
    expect(await output('upsert_crm_record', upsert, old)).toEqual({ record_id: null, created: false })
    await old.close()
  })

  test('upserted only if it is there', async () => {
    expect(await host.call('upsert_crm_record', { ...upsert, update_only: true })).toEqual(refused('not_found'))
  })

  test('an external id that several records have: an error that names them, and nothing is written', async () => {
    const several = { object: 'Contact', external_id_field: 'Badge__c', external_id: 'B-1', fields: { LastName: 'x' } }
    expect(await host.call('upsert_crm_record', several)).toMatchObject({
      ok: false,
      effect: 'refused',
      failure: {
        code: 'external_id_ambiguous',
        message: expect.stringContaining(
          `/services/data/v67.0/sobjects/Contact/${idOf('003', 1)}, /services/data/v67.0/sobjects/Contact/${idOf('003', 2)}`,
        ),
      },
    })
    expect(simulator.writesOf(idOf('003', 1))).toBe(0)
  })

  test.each<[string, object, string]>([
    ['create_crm_record', { object: 'Account', fields: { Name: 'a', Nope: 1 } }, 'invalid_field'],
    ['create_crm_record', { object: 'Account', fields: { Id: account, Name: 'a' } }, 'invalid_field'],
    ['create_crm_record', { object: 'Account', fields: { Name: 'a', CreatedDate: '2026-01-01T00:00:00Z' } }, 'invalid_field'],
    ['create_crm_record', { object: 'Contact', fields: { FirstName: 'a' } }, 'required_field_missing'],
    ['create_crm_record', { object: 'Account', fields: { Name: 'a', External_Id__c: 'EXT/3' } }, 'duplicate_value'],
    ['create_crm_record', { object: 'Contact', fields: { LastName: 'a', AccountId: 'x' } }, 'invalid_id'],
    ['create_crm_record', { object: 'Case', fields: { Status: 'Odd' } }, 'request_rejected'],
    ['create_crm_record', { object: 'Nope', fields: { Name: 'a' } }, 'not_found'],
    ['create_crm_record', { object: 'SetupAuditTrail', fields: { Action: 'a' } }, 'operation_not_allowed'],
    ['update_crm_record', { object: 'Account', record_id: idOf('003', 1), fields: { Name: 'a' } }, 'invalid_id'],
    ['upsert_crm_record', { object: 'Account', external_id_field: 'Name', external_id: 'a', fields: {} }, 'not_found'],
  ])('%s %j: %s', async (skill, input, code) => {
    const { writes } = simulator.counts
    expect(await host.call(skill, input as Json)).toMatchObject({ ok: false, failure: { code } })
    expect(simulator.counts.writes).toBe(writes)
  })

  test('names and ids that would lead elsewhere do not fit', () => {
    const faults = (skill: string, input: Json): readonly string[] => plugin.skills.get(skill)?.checkInput(input).faults ?? []
    for (const object of ['', '..', 'Account/x', 'Account?x', 'a b'])
      expect(faults('create_crm_record', { object, fields: { Name: 'a' } })).not.toEqual([])
    for (const id of ['', '..', 'a.b', 'a@b.example', `${account}/x`])
      expect(faults('delete_crm_record', { object: 'Account', record_id: id })).not.toEqual([])
    expect(faults('create_crm_record', { object: 'Account', fields: { 'a.b': 1 } })).not.toEqual([])
  })
})

describe('writes whose outcome is unknown', () => {
  const skills: readonly [string, Json][] = [
    ['create_crm_record', { object: 'Case', fields: { Subject: 'a' } }],
    ['update_crm_record', { object: 'Account', record_id: account, fields: { Name: 'a' } }],
    ['upsert_crm_record', { object: 'Case', external_id_field: 'Alert_Id__c', external_id: 'a', fields: {} }],
    ['delete_crm_record', { object: 'Account', record_id: account }],
  ]

  test.each(skills)('%s is in doubt after a server error or a lost answer, not after a refusal', async (skill, input) => {
    for (const failure of ['server_error_after_effect', 'cut_after_effect', 'cut_before_effect', 'unavailable'] as const) {
      simulator.fail({ failure, path: '/services/data/v67.0/sobjects' })
      expect(await host.call(skill, input)).toMatchObject({ ok: false, effect: 'unknown' })
    }
    for (const failure of ['request_limit', 'rate_limited'] as const) {
      simulator.fail({ failure, path: '/services/data/v67.0/sobjects' })
      expect(await host.call(skill, input)).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'rate_limited' } })
    }
  })

  test('what may be repeated, and until when', () => {
    const of = (id: string): object | undefined => plugin.skills.get(id)?.document.idempotent
    expect(of('create_crm_record')).toEqual({ by: 'none' })
    expect(of('update_crm_record')).toEqual({ by: 'state', repeat_within: '10m' })
    expect(of('upsert_crm_record')).toEqual({ by: 'state', repeat_within: '10m' })
    expect(of('delete_crm_record')).toEqual({ by: 'state', already_done: ['record_deleted'] })
  })
})

describe('queries', () => {
  test('all pages, as deep as is asked, with their progress', async () => {
    const all = await output('execute_crm_query', { query: 'SELECT Id FROM Contact ORDER BY Id', max_rows: 10_000 })
    expect(all).toMatchObject({ total: 4500, truncated: false, children_truncated: false })
    expect(new Set(all.records.map(({ Id }: { Id: string }) => Id)).size).toBe(4500)
    expect(host.lines).toEqual([
      'info page read {"page":1,"records":2000,"total":4500}',
      'info page read {"page":2,"records":4000,"total":4500}',
      'info page read {"page":3,"records":4500,"total":4500}',
    ])
    const some = await output('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 2001 })
    expect(some.records).toHaveLength(2001)
    expect(some.truncated).toBe(true)
    const first = await output('execute_crm_query', { query: 'SELECT Id FROM Contact' })
    expect(first.records).toHaveLength(2000)
    expect(first.truncated).toBe(true)
  })

  test('a result that fits exactly is not cut short', async () => {
    expect(await output('execute_crm_query', { query: 'SELECT Id FROM Account', max_rows: 40 })).toMatchObject({ total: 40, truncated: false })
    expect(await output('execute_crm_query', { query: "SELECT Id FROM Account WHERE Name = 'nobody'" })).toMatchObject({
      records: [],
      total: 0,
      truncated: false,
    })
    expect(await output('execute_crm_query', { query: 'SELECT COUNT() FROM Contact' })).toMatchObject({ records: [], total: 4500, truncated: false })
  })

  test('parents, children with pages of their own, aggregates, deleted records', async () => {
    simulator.behave({ childBatch: 50 })
    const { records, children_truncated: cut } = await output('execute_crm_query', {
      query: "SELECT Name, (SELECT LastName, Account.Name FROM Contacts ORDER BY LastName) FROM Account WHERE Name IN ('Account 5', 'Account 6')",
    })
    expect(records[0].Contacts).toMatchObject({ totalSize: 113, done: true })
    expect(records[0].Contacts.records).toHaveLength(113)
    expect(records[0].Contacts.nextRecordsUrl).toBeUndefined()
    expect(records[0].Contacts.records[112].Account.Name).toBe('Account 5')
    expect(cut).toBe(false)
    const grouped = await output('execute_crm_query', {
      query: 'SELECT Department, COUNT(Id) n FROM Contact GROUP BY Department ORDER BY Department',
    })
    expect(grouped.records).toContainEqual({ attributes: { type: 'AggregateResult' }, Department: 'Sales', n: 1500 })
    await output('delete_crm_record', { object: 'Account', record_id: account })
    const one = { query: `SELECT Id FROM Account WHERE Id = '${account}'` }
    expect((await output('execute_crm_query', one)).total).toBe(0)
    expect((await output('execute_crm_query', { ...one, include_deleted: true })).total).toBe(1)
  })

  test('children beyond what is fetched are said to be missing', async () => {
    simulator.behave({ childBatch: 10 })
    const { records, children_truncated: cut } = await output('execute_crm_query', {
      query: "SELECT Name, (SELECT Id FROM Contacts) FROM Account WHERE Name LIKE 'Account %' ORDER BY Name",
      max_rows: 45,
    })
    expect(cut).toBe(true)
    expect(records.at(-1).Contacts).toMatchObject({ totalSize: 113, done: false })
  })

  test.each([
    'DELETE FROM Account',
    'SELECT Id FROM Account; DELETE FROM Account',
    'SELECT Id FROM Account FOR UPDATE',
    'SELECT Id FROM Account FOR VIEW',
    'SELECT Id FROM Account -- x',
    `SELECT Id FROM Account WHERE Name IN (${Array.from({ length: 900 }, (_, at) => `'name ${at}'`).join(',')})`,
  ])('refused before anything is sent: %s', async (query) => {
    const { requests } = simulator.counts
    expect(await host.call('execute_crm_query', { query })).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'query_refused' } })
    expect(simulator.counts.requests).toBe(requests)
  })

  test.each([
    ['SELECT Nope FROM Account', 'invalid_field'],
    ['SELECT Id FROM Nope', 'invalid_object'],
    ["SELECT Id FROM Account WHERE CreatedDate > '2026-01-01T00:00:00Z'", 'invalid_field'],
    ["SELECT Id FROM Account WHERE Name = 'a' AND Name = 'b' OR Name = 'c'", 'malformed_query'],
  ])('%s: %s', async (query, code) => {
    expect(await host.call('execute_crm_query', { query })).toEqual(refused(code))
  })

  test.each<[Failure['failure'], string]>([
    ['server_error', 'vendor_unavailable'],
    ['unavailable', 'vendor_unavailable'],
    ['rate_limited', 'rate_limited'],
    ['request_limit', 'rate_limited'],
    ['query_timeout', 'query_timeout'],
    ['cut_in_body', 'network'],
    ['cut_before_effect', 'network'],
    ['html', 'answer_not_understood'],
  ])('%s in the middle of the pages is an error, not a short list', async (failure, code) => {
    simulator.fail({ failure, path: '/services/data/v67.0/query/', times: tries })
    expect(await host.call('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 5000 })).toMatchObject({
      ok: false,
      effect: 'refused',
      failure: { code },
    })
  })

  test('one that passes in the middle of the pages is waited out', async () => {
    simulator.fail({ failure: 'unavailable', path: '/services/data/v67.0/query/', times: tries - 1 })
    expect(await output('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 5000 })).toMatchObject({ total: 4500, truncated: false })
  })

  test('a token that expires in the middle of the pages is renewed', async () => {
    simulator.fail({ failure: 'session_expired', path: '/services/data/v67.0/query/' })
    expect(await output('execute_crm_query', { query: 'SELECT Id FROM Contact', max_rows: 5000 })).toMatchObject({ total: 4500, truncated: false })
    expect(simulator.tokens).toBe(2)
  })
})

describe('reports', () => {
  test('metadata, facts, groupings, details on request', async () => {
    const report = await output('get_crm_report', { report_id: idOf('00O', 3) })
    expect(Object.keys(report)).toEqual(expect.arrayContaining(['reportMetadata', 'factMap', 'groupingsAcross', 'groupingsDown']))
    expect(report.reportMetadata.name).toBe('Cases by status and priority')
    expect(report.groupingsDown.groupings.map(({ label }: { label: string }) => label)).toEqual(['Closed', 'New'])
    expect(report.factMap['T!T'].aggregates[0].value).toBe(12)
    expect(report).toMatchObject({ allData: true, hasDetailRows: true })
    expect((await output('get_crm_report', { report_id: idOf('00O', 1) })).factMap['T!T'].rows).toHaveLength(12)
    expect((await output('get_crm_report', { report_id: idOf('00O', 1), include_details: false })).factMap['T!T'].rows).toBeUndefined()
  })

  test('a report that is cut short says so; one that is not there is an error', async () => {
    expect((await output('get_crm_report', { report_id: idOf('00O', 4) })).allData).toBe(false)
    expect(await host.call('get_crm_report', { report_id: idOf('00O', 99) })).toEqual(refused('not_found'))
  })
})

describe('the setup audit trail', () => {
  test('newest first, as many as are asked for', async () => {
    const { entries, truncated } = await output('get_crm_setup_audit_trail', { max_entries: 3 })
    expect(truncated).toBe(true)
    expect(entries.map(({ created_at: at }: { created_at: string }) => at)).toEqual([
      '2026-10-15T12:00:00.000Z',
      '2026-10-15T11:30:00.000Z',
      '2026-10-15T11:00:00.000Z',
    ])
    expect(entries[0]).toMatchObject({
      action: 'PermSetAssign',
      user_name: 'ivy.integration@acme.example',
      user_display_name: 'Ivy Integration',
      section: 'Manage Users',
    })
    expect(await output('get_crm_setup_audit_trail', { max_entries: 120 })).toMatchObject({ truncated: false })
  })

  test.each<[object, number]>([
    [{ last: '24h' }, 48],
    [{ last: '90m' }, 3],
    [{ created_after: '2026-10-15T00:00:00Z' }, 25],
    [{ created_before: '2026-10-14T00:00:00+00:00' }, 47],
    [{ created_after: '2026-10-14T00:00:00Z', created_before: '2026-10-15T00:00:00Z' }, 48],
    [{ actions: ['PermSetAssign'] }, 24],
    [{ actions: ['PermSetAssign', 'connectedappcreate'] }, 48],
    [{ user: "Conor O'Brien" }, 24],
    [{ user: 'conor.obrien@acme.example' }, 24],
    [{ user: idOf('005', 4) }, 24],
    [{ user: idOf('005', 4).slice(0, 15), actions: ['connectedappcreate'], last: '7d' }, 24],
    [{ user: idOf('005', 4), actions: ['PermSetAssign'] }, 0],
  ])('%j: %i entries', async (input, count) => {
    expect((await output('get_crm_setup_audit_trail', input as Json)).entries).toHaveLength(count)
  })

  test.each([
    [{ user: "' OR Name != '" }, 'user_unknown'],
    [{ user: 'nobody@acme.example' }, 'user_unknown'],
    [{ user: 'a\u0000b' }, 'input_refused'],
    [{ last: '24h', created_after: '2026-10-14T00:00:00Z' }, 'input_refused'],
    [{ created_after: '2026-10-14T00:00:00Z', created_before: '2026-10-14T00:00:00Z' }, 'input_refused'],
  ])('%j: %s', async (input, code) => {
    expect(await host.call('get_crm_setup_audit_trail', input)).toEqual(refused(code))
  })

  test('quotes in an action stay inside it', async () => {
    expect((await output('get_crm_setup_audit_trail', { actions: ["x' OR Action != '", '\\', "') OR (Id != '"] })).entries).toEqual([])
  })
})

describe('event log files', () => {
  const login = { event_types: ['Login'] }

  test('entries of the newest files, with the file they are from', async () => {
    const { entries, files, truncated } = await output('get_crm_event_log_files', { ...login, max_files: 2, max_rows: 10_000 })
    expect(truncated).toBe(true)
    expect(
      files.map(({ log_date, rows_read, rows_kept, read_whole }: Record<string, unknown>) => ({ log_date, rows_read, rows_kept, read_whole })),
    ).toEqual([
      { log_date: '2026-10-14T00:00:00.000Z', rows_read: 120, rows_kept: 120, read_whole: true },
      { log_date: '2026-10-13T00:00:00.000Z', rows_read: 120, rows_kept: 120, read_whole: true },
    ])
    expect(entries).toHaveLength(240)
    expect(entries[0]).toMatchObject({
      file_id: files[0].id,
      event_type: 'Login',
      values: { EVENT_TYPE: 'Login', USER_NAME: 'ada.lovelace@acme.example' },
    })
    expect(entries[10].values.BROWSER_TYPE).toBe('Browser, "odd"\nsecond line, Zoë')
  })

  test('rows by column, columns by name, types of several kinds', async () => {
    const { entries } = await output('get_crm_event_log_files', {
      event_types: ['Login', 'API'],
      max_files: 2,
      where: { USER_ID: idOf('005', 3).slice(0, 15), event_type: ['login', 'api'] },
      columns: ['event_type', 'CLIENT_IP', 'NOPE'],
    })
    expect(entries).toHaveLength(48)
    expect(entries[0].values).toEqual({ EVENT_TYPE: expect.stringMatching(/^(Login|API)$/), CLIENT_IP: '203.0.113.2' })
  })

  test('a period goes through files and rows, back from now too', async () => {
    const period = { from: '2026-10-14T00:01:00Z', to: '2026-10-14T00:01:30Z' }
    const { entries, files, truncated } = await output('get_crm_event_log_files', { ...login, ...period })
    expect(entries.map(({ values }: { values: Record<string, string> }) => values['TIMESTAMP_DERIVED'])).toEqual(
      Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2026, 9, 14, 0, 1, at)).toISOString()),
    )
    expect(files).toHaveLength(1)
    expect(truncated).toBe(false)
    // At 12:30 the file of the day before is there, and that of today is not.
    expect((await output('get_crm_event_log_files', { ...login, last: '24h' })).files).toHaveLength(1)
    const hourly = await output('get_crm_event_log_files', { ...login, interval: 'Hourly', last: '6h', max_rows: 10_000 })
    expect(new Set(hourly.files.map(({ interval }: { interval: string }) => interval))).toEqual(new Set(['Hourly']))
    expect(hourly.entries.length).toBeGreaterThan(0)
    for (const { values } of hourly.entries) expect(Date.parse(values.TIMESTAMP_DERIVED)).toBeGreaterThanOrEqual(now - day / 4)
  })

  test('rows beyond max_rows are not read', async () => {
    simulator.behave({ logSize: 5_000_000 })
    const { entries, files, truncated } = await output('get_crm_event_log_files', { ...login, max_files: 1, max_rows: 700 })
    expect(entries).toHaveLength(700)
    expect(truncated).toBe(true)
    expect(files).toEqual([expect.objectContaining({ rows_read: 700, read_whole: false, length: 5_000_000 })])
  })

  test('a file of which nothing is kept is read to its end', async () => {
    simulator.behave({ logSize: 3_000_000 })
    const { entries, files } = await output('get_crm_event_log_files', { ...login, max_files: 1, where: { USER_NAME: 'nobody' } })
    expect(entries).toEqual([])
    expect(files).toEqual([expect.objectContaining({ read_whole: true, rows_kept: 0 })])
    expect(files[0].rows_read).toBeGreaterThan(5_000)
  })

  test.skipIf(!existsSync('/proc/self/status'))('a large file is not held, neither here nor where the handler runs', async () => {
    const nothing = { ...login, max_files: 1, where: { USER_NAME: 'nobody' } }
    simulator.behave({ logSize: 4_000_000 })
    await output('get_crm_event_log_files', nothing)
    const before = isolatesResident()
    expect(before).toBeGreaterThan(0)
    simulator.behave({ logSize: 32_000_000 })
    expect((await output('get_crm_event_log_files', nothing)).files[0].rows_read).toBeGreaterThan(100_000)
    // The rows are more than 60 MB as the handler gets them.
    expect(isolatesResident() - before).toBeLessThan(32_000_000)
  })

  test.each([
    [{ where: { NOPE: 'a' } }, 'column_unknown'],
    [{ last: '24h', to: '2026-10-14T00:00:00Z' }, 'input_refused'],
  ])('%j: %s', async (input, code) => {
    expect(await host.call('get_crm_event_log_files', { ...login, ...input })).toEqual(refused(code))
  })

  test.each<[Failure['failure'], string]>([
    ['cut_in_body', 'network'],
    ['request_limit', 'rate_limited'],
    ['insufficient_access', 'api_permission_error'],
    ['server_error', 'vendor_unavailable'],
    ['html', 'answer_not_understood'],
  ])('%s while a file is read is an error, not a short list', async (failure, code) => {
    simulator.fail({ failure, path: '/services/data/v67.0/sobjects/EventLogFile/', times: tries })
    expect(await host.call('get_crm_event_log_files', login)).toEqual(refused(code))
  })

  test('a token that expires before a file is read is renewed', async () => {
    simulator.fail({ failure: 'session_expired', path: '/services/data/v67.0/sobjects/EventLogFile/' })
    expect((await output('get_crm_event_log_files', { ...login, max_files: 1 })).entries).toHaveLength(120)
  })

  test('types, grouped by the platform or here', async () => {
    const expected = {
      event_types: [
        { event_type: 'API', files: 7 },
        { event_type: 'Login', files: 19 },
        { event_type: 'ReportExport', files: 7 },
      ],
      truncated: false,
    }
    expect(await output('list_crm_event_types', {})).toEqual(expected)
    expect((await output('list_crm_event_types', { interval: 'Hourly' })).event_types).toEqual([{ event_type: 'Login', files: 12 }])
    simulator.behave({ ungroupable: new Set(['EventLogFile.EventType']) })
    expect(await output('list_crm_event_types', {})).toEqual(expected)
    simulator.fail({ failure: 'insufficient_access', path: '/services/data/v67.0/query' })
    expect(await host.call('list_crm_event_types', {})).toEqual(refused('api_permission_error'))
  })
})

test('the newest version leads to its release notes, without a token', async () => {
  const pinned = await hostAs({ more: { api_version: '62.0' } })
  expect(await output('get_crm_release_notes', {}, pinned)).toEqual({
    version: '67.0',
    label: "Summer '26",
    season: 'Summer',
    year: 2026,
    release: 262,
    url: 'https://help.salesforce.com/s/articleView?id=release-notes.salesforce_release_notes.htm&release=262&type=5',
  })
  await pinned.close()
  expect(simulator.tokens).toBe(0)
})

describe('the rows of the manifest', () => {
  const seen = new Set<string>()
  const json = 'application/json;charset=UTF-8'

  test.each<[number, Json, string, string, 'none' | 'unknown']>([
    [300, ['/services/data/v66.0/sobjects/Contact/1'], json, 'external_id_ambiguous', 'none'],
    [
      401,
      [{ errorCode: 'INVALID_SESSION_ID', message: 'This session is not valid for use with the REST API' }],
      json,
      'api_permission_error',
      'none',
    ],
    [401, [{ errorCode: 'INVALID_SESSION_ID', message: 'Connected app is not attached to Agent' }], json, 'api_permission_error', 'none'],
    [401, [{ errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' }], json, 'credentials_rejected', 'none'],
    [401, [{ errorCode: 'INVALID_AUTH_HEADER' }], json, 'credentials_rejected', 'none'],
    [403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED' }], json, 'rate_limited', 'none'],
    [429, '', 'text/plain', 'rate_limited', 'none'],
    [403, [{ errorCode: 'INSUFFICIENT_ACCESS_OR_READONLY' }], json, 'api_permission_error', 'none'],
    [400, [{ errorCode: 'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY' }], json, 'api_permission_error', 'none'],
    [403, [{ errorCode: 'SOMETHING_ELSE' }], json, 'api_permission_error', 'none'],
    [404, [{ errorCode: 'ENTITY_IS_DELETED' }], json, 'record_deleted', 'none'],
    [400, [{ errorCode: 'MALFORMED_QUERY' }], json, 'malformed_query', 'none'],
    [400, [{ errorCode: 'INVALID_FIELD' }], json, 'invalid_field', 'none'],
    [400, [{ errorCode: 'INVALID_TYPE' }], json, 'invalid_object', 'none'],
    [400, [{ errorCode: 'DUPLICATES_DETECTED' }], json, 'duplicate_value', 'none'],
    [400, [{ errorCode: 'REQUIRED_FIELD_MISSING' }], json, 'required_field_missing', 'none'],
    [400, [{ errorCode: 'MALFORMED_ID' }], json, 'invalid_id', 'none'],
    [500, [{ errorCode: 'QUERY_TIMEOUT' }], json, 'query_timeout', 'none'],
    [400, [{ errorCode: 'QUERY_TIMEOUT' }], json, 'query_timeout', 'none'],
    [400, [{ errorCode: 'INVALID_QUERY_LOCATOR' }], json, 'query_expired', 'none'],
    [400, [{ errorCode: 'UNABLE_TO_LOCK_ROW' }], json, 'record_locked', 'none'],
    [410, [{ errorCode: 'UNSUPPORTED_API_VERSION' }], json, 'api_version_unsupported', 'none'],
    [405, [{ errorCode: 'METHOD_NOT_ALLOWED' }], json, 'operation_not_allowed', 'none'],
    [404, [{ errorCode: 'NOT_FOUND' }], json, 'not_found', 'none'],
    [404, '<html></html>', 'text/html', 'instance_url_unreachable', 'none'],
    [302, '', 'text/html', 'instance_url_unreachable', 'none'],
    [403, '<html></html>', 'text/html', 'instance_url_unreachable', 'none'],
    [400, [{ errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION' }], json, 'request_rejected', 'none'],
    [500, [{ errorCode: 'UNKNOWN_EXCEPTION' }], json, 'vendor_unavailable', 'unknown'],
    [503, '<html></html>', 'text/html', 'vendor_unavailable', 'unknown'],
  ])('%i %j (%s): %s', (status, body, type, code, effect) => {
    const found = matchRow(plugin.manifest.errors, { status, headers: { 'content-type': type }, body }, { method: 'PATCH', path: '' })
    expect(found).toMatchObject({ code, effect })
    seen.add(code)
  })

  test('are all met above', () => {
    expect([...seen].sort()).toEqual([...new Set(plugin.manifest.errors.map(({ code }) => code))].sort())
  })

  test('find nothing in what went well', () => {
    for (const [status, body] of [
      [200, { totalSize: 0, done: true, records: [] }],
      [201, { id: 'x', success: true, errors: [] }],
      [204, ''],
    ] as const)
      expect(matchRow(plugin.manifest.errors, { status, headers: { 'content-type': json }, body }, { method: 'POST', path: '' })).toBeNull()
  })
})

test.each(["O'Brien", "' OR Name != '", "\\' OR Id != '", '\\', 'a"b', '100%', "x') FOR UPDATE", 'Zoë 😀'])(
  '%j of an alert is one literal through soql_quote',
  (text) => {
    const quoting = plugin.manifest.document.quoting?.['soql_quote']
    if (!quoting) throw new Error('there is no soql_quote')
    const literal = quote(text, quoting)
    expect(() => assertSelect(`SELECT Id FROM Contact WHERE Name = ${literal}`)).not.toThrow()
    expect(textOf(literal)).toBe(text)
  },
)

test('a line break of an alert makes a statement that is refused', () => {
  const quoting = plugin.manifest.document.quoting?.['soql_quote'] ?? { quote: "'", escape: '\\' }
  expect(() => assertSelect(`SELECT Id FROM Contact WHERE Name = ${quote('a\nb', quoting)}`)).toThrow('not understood')
})
