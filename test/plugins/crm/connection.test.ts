import { describe, expect, test } from 'vitest'
import { assertSelect } from '../../../plugins/crm/lib/select-only.ts'
import type { Json } from '../../../runtime/domain/index.ts'
import { quote } from '../../../runtime/expressions/index.ts'
import { checkCredentials, matchRow, originFields } from '../../../runtime/plugin/index.ts'
import type { Failure } from '../../simulators/crm/index.ts'
import { textOf } from '../../simulators/crm/soql/literals.ts'
import { account, client, hostAs, output, paths, plugin, read, refused, simulator, tested, write } from './system.ts'

describe('saved credentials', () => {
  const given = { instance_url: 'https://acme.my.salesforce.com', client_id: client.clientId, client_secret: client.clientSecret }
  const faults = (changes: object): readonly string[] => {
    const checked = checkCredentials(plugin.manifest.document, { ...given, ...changes })
    return checked.ok ? [] : checked.places.map(({ field, message }) => `${field}: ${message}`)
  }

  test('accepted: the host of an org or a sandbox, with a token host and a version', () => {
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
    [{ instance_url: 'https://acme.my.salesforce.com/services/oauth2/token' }, 'The connector adds'],
    [{ instance_url: 'https://acme.my.salesforce.com/' }, 'slash'],
    [{ instance_url: 'http://acme.my.salesforce.com' }, 'https://'],
    [{ instance_url: 'acme.my.salesforce.com' }, 'https://'],
    [{ instance_url: 'https://acme.my.salesforce.com?x=1' }, 'query string'],
    [{ instance_url: ' https://acme.my.salesforce.com' }, 'a space'],
    [{ instance_url: 'instance_url=https://acme.my.salesforce.com' }, 'line'],
    [{ client_id: '"3MVG9"' }, 'quotes'],
    [{ client_id: '3MVG9 abc' }, 'space'],
    [{ client_id: 'A'.repeat(64) }, 'Consumer Secret'],
    [{ client_id: 'https://acme.my.salesforce.com' }, 'Consumer Key'],
    [{ client_secret: '3MVG9abc' }, 'Consumer Key'],
    [{ client_secret: 'client_secret: abc' }, 'line'],
    [{ client_secret: 'ab c' }, 'space'],
    [{ auth_url: 'https://acme.my.salesforce.com/services/oauth2/token' }, 'The connector adds'],
    [{ api_version: 'v66' }, 'as the platform does'],
    [{ client_secret: '' }, 'missing'],
    [{ instance_url: undefined }, 'missing'],
  ])('refused: %j', (changes, why) => {
    expect(faults(changes)).toEqual([expect.stringContaining(why)])
  })

  test('a new instance_url or auth_url needs the secret again', () => {
    expect(originFields(plugin)).toEqual(expect.arrayContaining(['instance_url', 'auth_url']))
  })
})

describe('the connection, and the rows of specification 7.3', () => {
  test('the test gets a token and makes a query that every user may make', async () => {
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

  test('Invalid Client Secret: a wrong secret, and one that was rotated', async () => {
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
  ] as const)('Invalid Grant, Access Denied, a login host: %s gives %s', async (policy, code) => {
    simulator.setTokenPolicy(policy)
    expect(await tested()).toEqual(refused(code))
    expect(await write()).toMatchObject({ effect: 'not_sent', failure: { code } })
  })

  test('Instance URL Unreachable: nothing listens there', async () => {
    expect(await tested({ instanceUrl: 'https://127.0.0.1:9' })).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'network' } })
  })

  test('Instance URL Unreachable: a web page instead of the token, the versions or the API', async () => {
    simulator.fail({ failure: 'html', path: '/services/oauth2' })
    expect(await tested()).toEqual(refused('answer_not_understood'))
    simulator.fail({ failure: 'html', path: '/services/data/' })
    expect(await tested()).toEqual(refused('answer_not_understood'))
    simulator.fail({ failure: 'html', path: '/services/data/v67.0' })
    expect(await tested()).toEqual(refused('answer_not_understood'))
  })

  test('API Permission Error: a token that the REST API refuses is not requested again', async () => {
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

  test('an expired token is renewed, and the write is made once', async () => {
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

  test('the newest API version is used, or the one that the connection names', async () => {
    await read()
    expect(paths()).toContain('GET /services/data/v67.0/query')
    const pinned = await hostAs({ more: { api_version: '62.0' } })
    await output('execute_crm_query', { query: 'SELECT COUNT() FROM Account' }, pinned)
    await pinned.close()
    expect(paths().at(-1)).toBe('GET /services/data/v62.0/query')
    expect(await tested({ more: { api_version: '20.0' } })).toEqual(refused('api_version_unsupported'))
    expect(await tested({ more: { api_version: '99.0' } })).toEqual(refused('api_version_unsupported'))
  })

  test('the instance that the token answer names must be a host of the platform', async () => {
    simulator.setInstanceUrl('https://evil.example')
    expect(await write()).toMatchObject({ effect: 'not_sent', failure: { code: 'derived_origin_refused' } })
  })

  test('auth_url gives the token if it is set, and requests go where the token answer says', async () => {
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

describe('the error rows of the manifest', () => {
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
    [403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED' }], json, 'request_limit_exceeded', 'none'],
    [429, '', 'text/plain', 'rate_limited', 'none'],
    [403, [{ errorCode: 'INSUFFICIENT_ACCESS_OR_READONLY' }], json, 'api_permission_error', 'none'],
    [400, [{ errorCode: 'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY' }], json, 'api_permission_error', 'none'],
    [403, [{ errorCode: 'SOMETHING_ELSE' }], json, 'api_permission_error', 'none'],
    [404, [{ errorCode: 'ENTITY_IS_DELETED' }], json, 'record_deleted', 'none'],
    [400, [{ errorCode: 'MALFORMED_QUERY' }], json, 'malformed_query', 'none'],
    [400, [{ errorCode: 'INVALID_FIELD' }], json, 'invalid_field', 'none'],
    [400, [{ errorCode: 'INVALID_TYPE' }], json, 'invalid_object', 'none'],
    [400, [{ errorCode: 'DUPLICATES_DETECTED' }], json, 'duplicate_value', 'none'],
    [400, [{ errorCode: 'DUPLICATE_USERNAME' }], json, 'duplicate_value', 'none'],
    [201, { id: null, success: false, errors: [{ message: 'No.' }] }, json, 'request_rejected', 'none'],
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
    [200, { message: 'Not Found' }, json, 'answer_is_error', 'unknown'],
    [200, false, json, 'answer_is_error', 'unknown'],
    [408, { message: 'Request Timeout' }, json, 'vendor_unavailable', 'unknown'],
    [400, [{ errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION' }], json, 'request_rejected', 'none'],
    [500, [{ errorCode: 'UNKNOWN_EXCEPTION' }], json, 'vendor_unavailable', 'unknown'],
    [503, '<html></html>', 'text/html', 'vendor_unavailable', 'unknown'],
  ])('%i %j (%s): %s', (status, body, type, code, effect) => {
    const found = matchRow(plugin.manifest.errors, { status, headers: { 'content-type': type }, body }, { method: 'PATCH', path: '' })
    expect(found).toMatchObject({ code, effect })
    seen.add(code)
  })

  test('are all covered by the cases above', () => {
    expect([...seen].sort()).toEqual([...new Set(plugin.manifest.errors.map(({ code }) => code))].sort())
  })

  test('a host that has no list of API versions is not the platform', () => {
    const answer = { status: 404, headers: { 'content-type': json }, body: [{ errorCode: 'NOT_FOUND' }] }
    for (const path of ['', '/services/data/'])
      expect(matchRow(plugin.manifest.errors, answer, { method: 'GET', path })).toMatchObject({ code: 'instance_url_unreachable' })
  })

  test('match no success', () => {
    for (const [status, body] of [
      [200, { totalSize: 0, done: true, records: [] }],
      [201, { id: 'x', success: true, errors: [] }],
      [204, ''],
    ] as const)
      expect(matchRow(plugin.manifest.errors, { status, headers: { 'content-type': json }, body }, { method: 'POST', path: '' })).toBeNull()
  })
})

test.each(["O'Brien", "' OR Name != '", "\\' OR Id != '", '\\', 'a"b', '100%', "x') FOR UPDATE", 'Zoë 😀'])(
  'soql_quote makes one literal of the alert text %j',
  (text) => {
    const quoting = plugin.manifest.document.quoting?.['soql_quote']
    if (!quoting) throw new Error('there is no soql_quote')
    const literal = quote(text, quoting)
    expect(() => assertSelect(`SELECT Id FROM Contact WHERE Name = ${literal}`)).not.toThrow()
    expect(textOf(literal)).toBe(text)
  },
)

test('a statement with a line break from an alert is refused', () => {
  const quoting = plugin.manifest.document.quoting?.['soql_quote'] ?? { quote: "'", escape: '\\' }
  expect(() => assertSelect(`SELECT Id FROM Contact WHERE Name = ${quote('a\nb', quoting)}`)).toThrow('line break')
})
