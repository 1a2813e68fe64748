import { expect, test } from 'vitest'
import { type Answer, api, asked, at, authorize, client, form, query, send, simulator, token, tokenPath, use } from './calling.ts'
import { idOf } from './index.ts'
import type { CrmSimulator } from './simulator.ts'

test("returns a token for credentials in the form or with Basic, in the vendor's fields", async () => {
  const { status, json } = await authorize()
  expect(status).toBe(200)
  expect(json).toEqual({
    access_token: expect.stringMatching(/^00D\w{12}!/),
    signature: expect.any(String),
    scope: 'api',
    token_format: 'opaque',
    instance_url: simulator.url,
    id: `${simulator.url}/id/${idOf('00D', 1)}/${idOf('005', 1)}`,
    token_type: 'Bearer',
    issued_at: String(at),
    api_instance_url: 'https://api.salesforce.com',
  })
  const basic = Buffer.from(`${client.clientId}:${encodeURIComponent(client.clientSecret)}`).toString('base64')
  expect((await authorize({ grant_type: 'client_credentials' }, { authorization: `Basic ${basic}` })).status).toBe(200)
})

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  ['another grant', { ...asked, grant_type: 'password' }, 'unsupported_grant_type', 'grant type not supported'],
  ['another client', { ...asked, client_id: 'x' }, 'invalid_client_id', 'client identifier invalid'],
  ['another secret', { ...asked, client_secret: 'x' }, 'invalid_client', 'invalid client credentials'],
])('the token endpoint refuses %s', async (_, fields, error, description) => {
  expect(await authorize(fields)).toMatchObject({ status: 400, json: { error, error_description: description } })
})

test.each([
  ['login_host', 'invalid_grant', 'request not supported on this domain'],
  ['no_run_as', 'invalid_grant', 'no client credentials user enabled'],
  ['flow_disabled', 'invalid_grant', 'authentication failure'],
  ['user_denied', 'invalid_grant', "user hasn't approved this consumer"],
  ['app_denied', 'invalid_app_access', 'user is not admin approved to access this app'],
  ['access_denied', 'access_denied', 'end-user denied authorization'],
] as const)('the token endpoint as %s', async (policy, error, description) => {
  simulator.setTokenPolicy(policy)
  expect(await authorize()).toMatchObject({ status: 400, json: { error, error_description: description } })
})

test('refuses to give a token for JSON, for GET, or for credentials that come twice', async () => {
  expect(await send(tokenPath, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) })).toMatchObject({
    status: 400,
    json: { error: 'unsupported_grant_type' },
  })
  expect((await send(tokenPath)).json).toMatchObject({ error: 'invalid_request' })
  expect((await send(tokenPath, { method: 'POST', headers: form, body: `${new URLSearchParams(asked)}&client_id=x` })).json).toMatchObject({
    error: 'invalid_request',
  })
})

test('handles a rotated secret, another instance, expiry, revocation, and a token that REST refuses', async () => {
  simulator.expireTokens()
  expect(await api('/limits')).toMatchObject({ status: 401, json: [{ errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' }] })
  simulator.rotateSecret('new')
  expect((await authorize()).json).toMatchObject({ error: 'invalid_client' })
  simulator.setInstanceUrl('https://other.my.salesforce.com')
  simulator.setUnfitTokens(true)
  const { json } = await authorize({ ...asked, client_secret: 'new' })
  expect(json.instance_url).toBe('https://other.my.salesforce.com')
  use(json.access_token)
  expect(await api('/limits')).toMatchObject({ status: 401, json: [{ message: 'This session is not valid for use with the REST API' }] })
  simulator.reset()
  use((await authorize()).json.access_token)
  expect((await send('/services/oauth2/revoke', { method: 'POST', headers: form, body: `token=${encodeURIComponent(token)}` })).status).toBe(200)
  expect((await api('/limits')).status).toBe(401)
})

test('the list of versions needs no token and does not count as a request, unlike everything else', async () => {
  const { status, json, headers } = await send('/services/data/')
  expect(status).toBe(200)
  expect(json.at(-1)).toEqual({ label: "Summer '26", url: '/services/data/v67.0', version: '67.0' })
  expect(headers['sforce-limit-info']).toBeUndefined()
  expect((await api('/limits')).headers['sforce-limit-info']).toMatch(/^api-usage=\d+\/15000$/)
  expect((await api('/limits')).json.DailyApiRequests).toEqual({ Max: 15_000, Remaining: 14_998 })
  expect(await send('/services/data/v66.0/limits')).toMatchObject({ status: 401, json: [{ errorCode: 'INVALID_SESSION_ID' }] })
})

test.each<[string, string, number, string]>([
  ['GET', '/services/data/v99.0/limits', 404, 'NOT_FOUND'],
  ['GET', '/services/data/v66/limits', 404, 'NOT_FOUND'],
  ['GET', '/services/data/v20.0/limits', 410, 'UNSUPPORTED_API_VERSION'],
  ['GET', '/services/data/v66.0/nothing', 404, 'NOT_FOUND'],
  ['GET', '/services/data/v66.0/sobjects/Nothing/describe', 404, 'NOT_FOUND'],
  ['POST', '/services/data/v66.0/limits', 405, 'METHOD_NOT_ALLOWED'],
  ['POST', '/services/data/v66.0/query?q=SELECT+Id+FROM+Account', 405, 'METHOD_NOT_ALLOWED'],
  ['PUT', `/services/data/v66.0/sobjects/Account/${idOf('001', 1)}`, 405, 'METHOD_NOT_ALLOWED'],
  ['DELETE', `/services/data/v66.0/sobjects/User/${idOf('005', 1)}`, 405, 'METHOD_NOT_ALLOWED'],
  ['GET', '/elsewhere', 404, 'NOT_FOUND'],
])('%s %s is refused', async (method, path, status, errorCode) => {
  expect(await send(path, { method, headers: { authorization: `Bearer ${token}` } })).toMatchObject({ status, json: [{ errorCode }] })
})

test('a record is created, read, changed and deleted, once', async () => {
  const created = await api('/sobjects/Account/', { method: 'POST', body: { Name: 'New', External_Id__c: 'N-1' } })
  expect(created).toMatchObject({ status: 201, json: { success: true, errors: [] } })
  const { id } = created.json
  expect((await api(`/sobjects/Account/${id.slice(0, 15)}?fields=Name,CreatedDate`)).json).toEqual({
    attributes: { type: 'Account', url: `/services/data/v66.0/sobjects/Account/${id}` },
    Id: id,
    Name: 'New',
    CreatedDate: '2026-10-15T12:30:00.000+0000',
  })
  const changed = await api(`/sobjects/Account/${id}`, { method: 'PATCH', body: { Name: 'Newer' } })
  expect(changed).toMatchObject({ status: 204, text: '' })
  expect(simulator.find('Account', id)).toMatchObject({ Name: 'Newer' })
  expect((await api(`/sobjects/Account/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await api(`/sobjects/Account/${id}`, { method: 'DELETE' })).toMatchObject({ status: 404, json: [{ errorCode: 'ENTITY_IS_DELETED' }] })
  expect(simulator.writesOf(id)).toBe(3)
  expect(simulator.counts.writes).toBeGreaterThanOrEqual(3)
  expect((await query(`SELECT Id FROM Account WHERE Id = '${id}'`)).json.totalSize).toBe(0)
  expect((await query(`SELECT Id FROM Account WHERE Id = '${id}'`, 'queryAll')).json.totalSize).toBe(1)
})

test.each<[string, string, object, string, string[] | undefined]>([
  ['an id in the body', 'Account', { Id: idOf('001', 1), Name: 'a' }, 'INVALID_FIELD', undefined],
  ['an unknown field', 'Account', { Name: 'a', Nope: 1 }, 'INVALID_FIELD', undefined],
  ['a system field', 'Account', { Name: 'a', CreatedDate: '2026-01-01T00:00:00Z' }, 'INVALID_FIELD_FOR_INSERT_UPDATE', ['CreatedDate']],
  ['a missing field', 'Contact', { FirstName: 'a' }, 'REQUIRED_FIELD_MISSING', ['LastName']],
  ['a value that another record has', 'Account', { Name: 'a', External_Id__c: 'EXT/3' }, 'DUPLICATE_VALUE', []],
  ['an id of another kind', 'Contact', { LastName: 'a', AccountId: idOf('003', 1) }, 'MALFORMED_ID', ['AccountId']],
  ['an id that does not exist', 'Contact', { LastName: 'a', AccountId: idOf('001', 999) }, 'INVALID_CROSS_REFERENCE_KEY', []],
  ['a text that is too long', 'Contact', { LastName: 'a'.repeat(81) }, 'STRING_TOO_LONG', ['LastName']],
  ['a word that is not in the picklist', 'Case', { Status: 'Odd' }, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', ['Status']],
  ['a text instead of a number', 'Account', { Name: 'a', AnnualRevenue: '1' }, 'JSON_PARSER_ERROR', undefined],
  ['a list', 'Account', [{ Name: 'a' }], 'JSON_PARSER_ERROR', undefined],
])('creating is refused for %s', async (_, type, body, errorCode, fields) => {
  const { status, json } = await api(`/sobjects/${type}/`, { method: 'POST', body })
  expect({ status, json }).toEqual({ status: 400, json: [{ message: expect.any(String), errorCode, ...(fields && { fields }) }] })
})

test('refuses to create without a JSON content type, and kinds that are read-only', async () => {
  expect((await api('/sobjects/Account', { method: 'POST', headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  expect((await api('/sobjects/SetupAuditTrail', { method: 'POST', body: {} })).status).toBe(405)
})

test.each<[string, number, string]>([
  [idOf('001', 999), 404, 'NOT_FOUND'],
  ['nonsense', 404, 'NOT_FOUND'],
  [idOf('003', 1), 400, 'MALFORMED_ID'],
])('an account id that is unknown or wrong is refused: %s', async (id, status, errorCode) => {
  for (const method of ['GET', 'DELETE']) expect(await api(`/sobjects/Account/${id}`, { method })).toMatchObject({ status, json: [{ errorCode }] })
  expect(await api(`/sobjects/Account/${id}`, { method: 'PATCH', body: { Name: 'a' } })).toMatchObject({ status, json: [{ errorCode }] })
})

test('an upsert creates or changes a record, and refuses a value that matches several', async () => {
  const path = `/sobjects/Account/External_Id__c/${encodeURIComponent('U/1 é')}`
  const created = await api(path, { method: 'PATCH', body: { Name: 'a' } })
  expect(created).toMatchObject({ status: 201, json: { success: true, created: true, errors: [] } })
  expect(await api(path, { method: 'PATCH', body: { Website: 'b' } })).toMatchObject({ status: 200, json: { id: created.json.id, created: false } })
  expect(simulator.find('Account', created.json.id)).toMatchObject({ Name: 'a', Website: 'b', External_Id__c: 'U/1 é' })
  const old = await send(`/services/data/v45.0${path}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"Website":"c"}',
  })
  expect(old).toMatchObject({ status: 204, text: '' })
  expect(await api('/sobjects/Contact/Badge__c/B-1', { method: 'PATCH', body: { LastName: 'a' } })).toMatchObject({
    status: 300,
    json: [`/services/data/v66.0/sobjects/Contact/${idOf('003', 1)}`, `/services/data/v66.0/sobjects/Contact/${idOf('003', 2)}`],
  })
  expect((await api('/sobjects/Account/Name/x', { method: 'PATCH', body: {} })).json[0].message).toBe(
    'Provided external ID field does not exist or is not accessible: Name',
  )
  expect((await api(path, { method: 'PATCH', body: { External_Id__c: 'x' } })).json[0].errorCode).toBe('INVALID_FIELD')
  expect((await api('/sobjects/Account/External_Id__c/none?updateOnly=true', { method: 'PATCH', body: { Name: 'a' } })).status).toBe(404)
  expect((await api('/sobjects/Account/Id', { method: 'POST', body: { Name: 'by id' } })).status).toBe(201)
})

test('a query gives the path of an event log file, which is a CSV of any size', async () => {
  const [file] = (await query("SELECT Id, LogFile, LogFileLength FROM EventLogFile WHERE EventType = 'Login' AND Interval = 'Hourly' LIMIT 1")).json
    .records
  expect(file.LogFile).toBe(`/services/data/v66.0/sobjects/EventLogFile/${file.Id}/LogFile`)
  const csv = await send(file.LogFile, { headers: { authorization: `Bearer ${token}` } })
  expect(csv.headers['content-type']).toBe('text/csv')
  expect(Buffer.byteLength(csv.text)).toBe(file.LogFileLength)
  expect(csv.text).toMatch(/^"EVENT_TYPE","TIMESTAMP",/)
  expect(csv.text).toContain('"Browser, ""odd""\nsecond line, Zoë"')
  simulator.behave({ logSize: 3_000_000 })
  const large = await send(file.LogFile, { headers: { authorization: `Bearer ${token}` } })
  expect(Buffer.byteLength(large.text)).toBeGreaterThanOrEqual(3_000_000)
  expect(Buffer.byteLength(large.text)).toBeLessThan(4_500_000)
})

test('reports run by GET and POST, with details on request', async () => {
  const [open, , matrix, cut] = (await api('/analytics/reports')).json
  const plain = (await api(`/analytics/reports/${open.id}`)).json
  expect(plain).toMatchObject({ allData: true, hasDetailRows: false, factMap: { 'T!T': { aggregates: [{ label: '12', value: 12 }] } } })
  expect(plain.factMap['T!T'].rows).toBeUndefined()
  expect((await api(`/analytics/reports/${open.id}?includeDetails=true`)).json.factMap['T!T'].rows).toHaveLength(12)
  const filter = { reportMetadata: { reportFilters: [{ column: 'STATUS', operator: 'equals', value: 'Closed' }] } }
  expect((await api(`/analytics/reports/${open.id}?includeDetails=true`, { method: 'POST', body: filter })).json.factMap['T!T'].rows).toHaveLength(3)
  const crossed = (await api(`/analytics/reports/${matrix.id}`)).json
  expect(crossed.groupingsDown.groupings.map(({ label }: { label: string }) => label)).toEqual(['Closed', 'New'])
  expect(crossed.groupingsAcross.groupings).toHaveLength(3)
  expect(Object.keys(crossed.factMap)).toHaveLength(12)
  expect((await api(`/analytics/reports/${cut.id}`)).json.allData).toBe(false)
  expect((await api(`/analytics/reports/${open.id}/describe`)).json.reportMetadata.name).toBe('Open cases')
  expect(await api(`/analytics/reports/${idOf('00O', 99)}`)).toMatchObject({ status: 404, json: [{ errorCode: 'NOT_FOUND' }] })
  expect((await api(`/analytics/reports/${open.id}?includeDetails=1`)).status).toBe(400)
})

test('lists the kinds of records and their fields', async () => {
  expect((await api('/sobjects')).json.sobjects.map(({ name }: { name: string }) => name)).toContain('EventLogFile')
  const { fields } = (await api('/sobjects/SetupAuditTrail/describe')).json
  expect(fields.find(({ name }: { name: string }) => name === 'Display')).toMatchObject({ filterable: false, sortable: true })
  expect((await send('/services/oauth2/userinfo', { headers: { authorization: `Bearer ${token}` } })).json.preferred_username).toBe(
    'ivy.integration@acme.example',
  )
})

test.each<[Parameters<CrmSimulator['fail']>[0], number, string]>([
  [{ failure: 'request_limit' }, 403, 'REQUEST_LIMIT_EXCEEDED'],
  [{ failure: 'insufficient_access' }, 403, 'INSUFFICIENT_ACCESS'],
  [{ failure: 'rate_limited', retryAfter: 3 }, 429, 'TOO_MANY_REQUESTS'],
  [{ failure: 'query_timeout' }, 500, 'QUERY_TIMEOUT'],
  [{ failure: 'unavailable', path: '/services/data/v66.0/query' }, 503, 'SERVER_UNAVAILABLE'],
])('the switch %o', async (failure, status, errorCode) => {
  simulator.fail(failure)
  expect(await query('SELECT Id FROM Account LIMIT 1')).toMatchObject({ status, json: [{ errorCode }] })
  expect((await query('SELECT Id FROM Account LIMIT 1')).status).toBe(200)
})

test('an answer can break off in the middle, also that of a file', async () => {
  simulator.fail({ failure: 'cut_in_body', times: 2 })
  await expect(query('SELECT Id FROM Account')).rejects.toThrow()
  await expect(api(`/sobjects/EventLogFile/${idOf('0AT', 1)}/LogFile`)).rejects.toThrow()
})

test('the switches have an HTTPS interface', async () => {
  const post = (path: string, body: object): Promise<Answer> => send(`/_simulator/${path}`, { method: 'POST', body: JSON.stringify(body) })
  expect((await post('failures', { failure: 'nope' })).status).toBe(400)
  await post('failures', { failure: 'html' })
  expect((await api('/limits')).headers['content-type']).toMatch(/^text\/html/)
  await post('token', { policy: 'login_host' })
  expect((await authorize()).json.error_description).toBe('request not supported on this domain')
  await post('token', {})
  await post('expire-tokens', {})
  expect((await api('/limits')).status).toBe(401)
  expect((await send('/_simulator/counts')).json).toMatchObject({ holding: 0, tokens: 1 })
})
