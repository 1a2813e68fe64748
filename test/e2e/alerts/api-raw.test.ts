import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, clientOf, descriptionOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let nobody: ReturnType<typeof clientOf>
let sourceKey: string

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  nobody = clientOf(api.app, null)
  for (const code of ['ACME', 'Other']) await admin('POST', '/platformapi/organizations', { code, name: code })
  for (const code of ['siem', 'edr']) await admin('POST', '/platformapi/providers', { code, name: code })
  sourceKey = await api.addKey(['alerts:write'])
})
afterAll(() => api.close())

const of = { organization_code: 'ACME', alert_provider: 'siem' }
type Parameters = Readonly<Record<string, string>>
const address = (parameters: Parameters, key = ''): string => `/platformapi/alerts/raw${key && `/${key}`}?${new URLSearchParams(parameters)}`
const post = (body: string | Buffer, parameters: Parameters = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  admin('POST', address({ ...of, ...parameters }), body, headers)

describe('the body', () => {
  test.each([
    ['JSON', 'application/json', '{"search_name":"Brute force",  "n": 1}'],
    ['JSON with a field twice, which another route would refuse', 'application/json', '{"a":1,"a":2}'],
    ['broken JSON', 'application/json', '{"a":'],
    ['plain text', 'text/plain', 'CEF:0|Acme|Gate|1|7|Malware|9|src=203.0.113.7'],
    ['a form', 'application/x-www-form-urlencoded', 'rule=7&user=ada%40example.com'],
    ['XML of an unknown type', 'application/vnd.acme+xml; charset=utf-8', '<alert>ä 🦔</alert>'],
  ])('is the content as it is: %s', async (_what, type, body) => {
    const { status, body: alert } = await post(body, { alert_type: 'siem_alert' }, { 'content-type': type })
    expect(status).toBe(200)
    expect(alert).toMatchObject({ alert_content: body, alert_type: 'siem_alert', alert_provider: 'siem', organization_code: 'ACME' })
    expect((await admin('GET', `/platformapi/alerts/${alert.alert_id}`)).body.alert_content).toBe(body)
  })

  test('needs no Content-Type', async () => {
    const response = await api.app.inject({
      method: 'POST',
      url: address(of),
      headers: { cookie: `Session=${api.admin}` },
      payload: Buffer.from('text'),
    })
    expect(response.json().alert_content).toBe('text')
  })

  test.each(['json', '', 'text', 'application/', '/', 'charset=utf-8', '; charset=utf-8', 'application/json, text/plain', '{"a":1}', 'a b/c d'])(
    'has whatever Content-Type: %j',
    async (type) => {
      const { status, body } = await post('{"a":1}', {}, { 'content-type': type })
      expect([status, body.alert_content]).toEqual([200, '{"a":1}'])
    },
  )

  test.each([
    ['is empty', '', {}, 'body_invalid'],
    ['is not UTF-8', Buffer.from([0x61, 0xff]), {}, 'body_not_utf8'],
    ['is compressed', 'x', { 'content-encoding': 'gzip' }, 'body_not_utf8'],
    ['has another charset', 'x', { 'content-type': 'text/plain; charset=latin1' }, 'body_not_utf8'],
    ['has another charset and no media type', 'x', { 'content-type': 'text; charset=latin1' }, 'body_not_utf8'],
    ['is too large', 'x'.repeat(2_000_000), {}, 'body_too_large'],
  ])('is refused if it %s', async (_what, body, headers, code) => {
    expect((await post(body, {}, headers)).body.code).toBe(code)
  })
})

describe('what the body says about the alert', () => {
  const at = { alert_type_at: '/rule/name', idempotency_key_at: '/event/id', created_at_source_at: '/event/time' }
  const json = (event: object, rule: object = { name: 'brute_force' }): string => JSON.stringify({ event, rule })

  test('is read at the places that the address names', async () => {
    const { body } = await post(json({ id: 41, time: '2026-01-30T08:00:00Z' }), { ...at, alert_type: 'other' })
    expect(body).toMatchObject({ alert_type: 'brute_force', created_at_source: Date.UTC(2026, 0, 30, 8) })
  })

  test.each([
    [1_760_000_000, 1_760_000_000_000],
    ['1760000000.25', 1_760_000_000_250],
    [1_760_000_000_000, 1_760_000_000_000],
    ['2026-01-30T08:00:00.5+02:00', Date.UTC(2026, 0, 30, 6, 0, 0, 500)],
    ['yesterday', null],
    ['', null],
    [-5, null],
    [1e300, null],
    [true, null],
    [null, null],
  ])('a time %j is %j', async (time, expected) => {
    expect((await post(json({ time }), at)).body.created_at_source).toBe(expected)
  })

  test.each([
    ['4625', '4625'],
    ['0', '0'],
    ['12345678901234567890', '12345678901234567890'],
  ])('a whole number as the type, such as an event id, counts as its digits: %s', async (written, type) => {
    const { body } = await post(`{"event":{},"rule":{"name":${written}}}`, { ...at, alert_type: 'other' })
    expect(body.alert_type).toBe(type)
  })

  test.each([
    ['is missing', json({}, {})],
    ['is no text', json({}, { name: { a: 1 } })],
    ['is blank', json({}, { name: ' ' })],
    ['is invisible', json({}, { name: '\u200b\u2060' })],
    ['has two lines', json({}, { name: 'a\nb' })],
    ['has a line separator', json({}, { name: 'a\u2028b' })],
    ['is a fraction', json({}, { name: 1.5 })],
    ['is a flag', json({}, { name: true })],
    ['is too long', json({}, { name: 'x'.repeat(201) })],
    ['cannot be found, because the body is no JSON', 'text'],
  ])('does not lose the alert if the type %s', async (_what, body) => {
    expect((await post(body, { ...at, alert_type: 'other' })).body).toMatchObject({ alert_type: 'other', alert_content: body })
    expect((await post(body, at)).body).toMatchObject({ alert_type: null, alert_content: body })
  })

  test('makes one alert of a body that is sent again, and refuses another body with the same id', async () => {
    const body = json({ id: 'again' })
    const first = await post(body, at)
    const second = await post(body, at)
    expect(second.body.alert_id).toBe(first.body.alert_id)
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([undefined, 'true'])
    expect((await post(json({ id: 'again', more: 1 }), at)).body.code).toBe('idempotency_key_reused')
    // The same id means another alert for another provider or organization.
    for (const other of [{ alert_provider: 'edr' }, { organization_code: 'Other' }]) {
      expect((await post(body, { ...at, ...other })).body.alert_id).not.toBe(first.body.alert_id)
    }
  })

  test('counts less than the header Idempotency-Key', async () => {
    const one = await post(json({ id: 'a' }), at, { 'idempotency-key': 'header' })
    expect((await post(json({ id: 'a' }), at, { 'idempotency-key': 'header' })).body.alert_id).toBe(one.body.alert_id)
    expect((await post(json({ id: 'a' }), at)).body.alert_id).not.toBe(one.body.alert_id)
  })

  test('is found in numbers that JavaScript cannot hold', async () => {
    const big = (digit: number): string => `{"event":{"id":9007199254740993000${digit}}}`
    const [one, other] = [await post(big(1), at), await post(big(2), at)]
    expect(one.body.alert_id).not.toBe(other.body.alert_id)
  })
})

test.each([
  [{ alert_provider: 'siem' }, 'organization_code', 'is required'],
  [{ organization_code: 'ACME' }, 'alert_provider', 'is required'],
  [{ ...of, alert_type: ' ' }, 'alert_type', 'must be one line of text with a visible character, and without control characters and line separators'],
  [{ ...of, alert_type: 'a\u2028b' }, 'alert_type', expect.stringContaining('line separators')],
  [{ ...of, alert_type: '\u200b' }, 'alert_type', expect.stringContaining('with a visible character')],
  [{ ...of, alert_type_at: 'rule/name' }, 'alert_type_at', 'must be a JSON pointer, such as /event/id'],
  [{ ...of, type: 'x' }, 'type', expect.stringContaining('the parameters are organization_code, alert_provider, ')],
])('an address whose parameters are wrong is refused, and the answer names them: %j', async (parameters, field, message) => {
  const { body } = await admin('POST', address(parameters as Parameters), 'x')
  expect(body).toMatchObject({ code: 'query_invalid', detail: `These parameters are wrong: ${field}.`, errors: [{ field, message }] })
})

test('an unknown organization or provider is refused', async () => {
  expect((await post('x', { organization_code: 'NONE' })).body.code).toBe('organization_unknown')
  expect((await post('x', { alert_provider: 'none' })).body.code).toBe('provider_unknown')
})

describe('a key in the address', () => {
  test('may only have the scope alerts:write', async () => {
    expect((await nobody('POST', address(of, sourceKey), 'x')).body.alert_content).toBe('x')
    const wide = await nobody('POST', address(of, await api.addKey(['alerts:write', 'alerts:read'])), 'x')
    expect(wide).toMatchObject({ status: 403, body: { code: 'key_too_powerful' } })
    expect((await nobody('POST', address(of, api.admin), 'x')).body.code).toBe('key_too_powerful')
    expect((await nobody('POST', address(of, await api.addKey(['alerts:read'])), 'x')).body.code).toBe('permission_missing')
  })

  test('is refused if it is wrong, whatever key a header has', async () => {
    expect((await nobody('POST', address(of, 'tsk_wrong'), 'x')).body.code).toBe('key_rejected')
    expect((await admin('POST', address(of, 'tsk_wrong'), 'x')).body.code).toBe('key_rejected')
    expect((await nobody('POST', address(of), 'x')).body.code).toBe('key_missing')
  })

  test('is not repeated in an error', async () => {
    for (const key of [sourceKey, 'tsk_wrong']) {
      const answers = [await nobody('POST', address({}, key), 'x'), await nobody('POST', address(of, key), ''), await nobody('GET', address(of, key))]
      expect(JSON.stringify(answers)).not.toContain(key)
    }
  })

  test('can be the password of the address', async () => {
    const headers = { authorization: `Basic ${Buffer.from(`siem:${sourceKey}`).toString('base64')}` }
    expect((await nobody('POST', address(of), 'x', headers)).status).toBe(200)
  })

  test('is limited to its organizations', async () => {
    const { body } = await admin('GET', '/platformapi/organizations')
    const other = body.items.find(({ code }: { readonly code: string }) => code === 'Other')
    const key = await api.addKey(['alerts:write'], [other.uuid])
    expect((await nobody('POST', address({ ...of, organization_code: 'Other' }, key), 'x')).status).toBe(200)
    expect((await nobody('POST', address(of, key), 'x')).body.code).toBe('organization_unknown')
  })
})

test('the description of the API has both routes with a body of any type', async () => {
  const { paths } = await descriptionOf(api.app)
  for (const path of ['/platformapi/alerts/raw', '/platformapi/alerts/raw/{key}']) {
    expect(paths[path]?.['post']).toMatchObject({ requestBody: { content: { '*/*': { schema: { type: 'string' } } } }, 'x-scope': 'alerts:write' })
  }
  expect(paths['/platformapi/alerts/raw/{key}']?.['post']).toMatchObject({ security: [] })
})
