import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
})
afterAll(async () => {
  expect(await alerts()).toBe(0)
  await api.close()
})

const alert = { alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME' }
const text = JSON.stringify(alert)
const alerts = async () => (await admin('GET', '/platformapi/alerts')).body.items.length

describe('a body that is refused', () => {
  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'body_not_json'],
    ['cut off', text.slice(0, -5), 'body_not_json'],
    ['two values', `${text}${text}`, 'body_not_json'],
    ['a comment', `/* */${text}`, 'body_not_json'],
    ['a word', 'true', 'body_invalid'],
    ['null', 'null', 'body_invalid'],
    ['a list', `[${text}]`, 'body_invalid'],
    ['a string', JSON.stringify(text), 'body_invalid'],
    ['UTF-16', Buffer.from(text, 'utf16le'), 'body_not_utf8'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'body_not_utf8'],
    ['latin1', Buffer.from(text.replace('x', 'é'), 'latin1'), 'body_not_utf8'],
    ['a byte that is not UTF-8', Buffer.from(text.replace('x', '\xff'), 'latin1'), 'body_not_utf8'],
    ['nested too deeply', `{"alert_content":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'body_too_deep'],
    ['too large', text.replace('x', 'x'.repeat(65_536)), 'body_too_large'],
    ['a repeated field', '{"alert_content":"a","alert_content":"b","alert_provider":"edr","organization_code":"ACME"}', 'field_repeated'],
    ['__proto__', text.replace('{', '{"__proto__":{"alert_type":"x"},'), 'field_unknown'],
    ['constructor', text.replace('{', '{"constructor":{"prototype":{}},'), 'field_unknown'],
    ['toString', text.replace('{', '{"toString":1,'), 'field_unknown'],
    ['five thousand unknown fields', `{${Array.from({ length: 5_000 }, (_, index) => `"f${index}":1`).join(',')}}`, 'field_unknown'],
  ])('%s', async (_name, body, code) => {
    expect((await admin('POST', '/platformapi/alerts', body, { 'content-type': 'application/json' })).body.code).toBe(code)
  })

  test.each<[string, Record<string, unknown>, string, string]>([
    ['a number for text', { alert_content: 5 }, 'body_invalid', 'alert_content'],
    ['an object for text', { alert_content: {} }, 'body_invalid', 'alert_content'],
    ['null for text', { alert_content: null }, 'body_invalid', 'alert_content'],
    ['a missing field', { alert_provider: undefined }, 'body_invalid', 'alert_provider'],
    ['the capitalized name of the specification’s table', { Organization_code: 'ACME' }, 'field_unknown', 'Organization_code'],
    ['a type that is null', { alert_type: null }, 'body_invalid', 'alert_type'],
    ['a type that is empty', { alert_type: '' }, 'body_invalid', 'alert_type'],
    ['a type that is blank', { alert_type: ' \u00a0' }, 'body_invalid', 'alert_type'],
    ['a type with two lines', { alert_type: 'a\nb' }, 'body_invalid', 'alert_type'],
    ['a type with a NUL', { alert_type: 'a\0b' }, 'body_invalid', 'alert_type'],
    ['a type that is too long', { alert_type: 'x'.repeat(201) }, 'body_invalid', 'alert_type'],
    ['half a surrogate pair', { alert_content: 'a\ud800b' }, 'body_invalid', 'alert_content'],
    ['half a surrogate pair in a type', { alert_type: '\udc00' }, 'body_invalid', 'alert_type'],
    ['a time as text', { created_at_source: '1700000000000' }, 'body_invalid', 'created_at_source'],
    ['a time as true', { created_at_source: true }, 'body_invalid', 'created_at_source'],
    ['a time that is null', { created_at_source: null }, 'body_invalid', 'created_at_source'],
    ['half a millisecond', { created_at_source: 1.5 }, 'body_invalid', 'created_at_source'],
  ])('%s', async (_name, change, code, field) => {
    const { body } = await admin('POST', '/platformapi/alerts', { ...alert, ...change })
    expect(body.code).toBe(code)
    expect(body.errors.map((place: { field: string }) => place.field)).toContain(field)
  })

  test.each(['1e400', '-1e400', '9223372036854775808', '9007199254740992', '1e17', '1e-1'])('a time of %s', async (number) => {
    const { body } = await admin('POST', '/platformapi/alerts', text.replace('{', `{"created_at_source":${number},`))
    expect(body).toMatchObject({ code: 'body_invalid', errors: [{ field: 'created_at_source' }] })
  })

  test('every wrong field is named, and the error for a misspelt one lists the valid names', async () => {
    const { body } = await admin('POST', '/platformapi/alerts', { alert_contents: 'x', alert_provider: 1, organization_code: 'ACME' })
    expect(body.code).toBe('field_unknown')
    expect(body.detail).toBe('This operation does not know these fields: alert_contents. These are wrong or missing: alert_content, alert_provider.')
    expect(body.errors).toEqual([
      { field: 'alert_content', message: 'is required' },
      { field: 'alert_contents', message: expect.stringContaining('the fields are alert_content, alert_provider') },
      { field: 'alert_provider', message: 'must be string' },
    ])
  })

  test.each([
    ['text/plain', 'media_type_unsupported'],
    ['application/x-www-form-urlencoded', 'media_type_unsupported'],
    ['multipart/form-data; boundary=x', 'media_type_unsupported'],
    ['application/jsonx', 'media_type_unsupported'],
    ['application/problem+json', 'media_type_unsupported'],
    ['nonsense', 'media_type_unsupported'],
    ['', 'media_type_unsupported'],
    ['application/json; charset=utf-16', 'body_not_utf8'],
    ['application/json; charset="latin1"', 'body_not_utf8'],
  ])('with the media type %j', async (type, code) => {
    expect((await admin('POST', '/platformapi/alerts', text, { 'content-type': type })).body.code).toBe(code)
  })

  test.each(['gzip', 'br', 'deflate', 'identity, gzip'])('with the content encoding %s', async (encoding) => {
    expect((await admin('POST', '/platformapi/alerts', text, { 'content-encoding': encoding })).body.code).toBe('body_not_utf8')
  })

  test.each([
    ['organization', { organization_code: 'NOBODY' }, 'organization_unknown'],
    ['organization in another case', { organization_code: 'acme' }, 'organization_unknown'],
    ['organization called __proto__', { organization_code: '__proto__' }, 'organization_unknown'],
    ['provider', { alert_provider: 'nothing' }, 'provider_unknown'],
    ['provider called constructor', { alert_provider: 'constructor' }, 'provider_unknown'],
  ])('with an unknown %s', async (_name, change, code) => {
    expect((await admin('POST', '/platformapi/alerts', { ...alert, ...change })).body.code).toBe(code)
  })
})

describe('a query that is refused', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['created_from=-1', 'created_from'],
    ['created_from=yesterday', 'created_from'],
    ['sort=alert_name', 'sort'],
    ['status=Done', 'status'],
    ['status=1', 'status'],
    ['q=%20%2d%20', 'q'],
    ['q=%zz', 'q'],
    ['q=%ff', 'q'],
    ['q=%ed%a0%80', 'q'],
    [`q=${'x'.repeat(501)}`, 'q'],
    ['wait=5', 'wait'],
    ['__proto__=1', '__proto__'],
    ['%zz=1', '%zz'],
    [Array.from({ length: 51 }, () => 'type=a').join('&'), 'type'],
  ])('%s', async (query, field) => {
    const { body } = await admin('GET', `/platformapi/alerts?${query}`)
    expect(body.code).toBe('query_invalid')
    expect(body.errors[0].field).toBe(field)
  })

  test('an operation without parameters refuses every parameter', async () => {
    expect((await admin('GET', '/healthz?x=1')).body.code).toBe('query_invalid')
    expect((await admin('POST', '/platformapi/alerts?wait=5', alert)).body.code).toBe('query_invalid')
  })

  test('an empty query and empty parameters are not refused', async () => {
    expect((await admin('GET', '/platformapi/alerts?')).status).toBe(200)
    expect((await admin('GET', '/platformapi/alerts?&&limit=1&')).status).toBe(200)
  })
})

describe('a route that does not exist', () => {
  test.each([
    ['GET', '/nowhere'],
    ['GET', '/platformapi'],
    ['GET', '/platformapi/alert'],
    ['DELETE', '/platformapi/alerts'],
    ['PUT', '/platformapi/alerts/x'],
    ['POST', '/healthz'],
    ['OPTIONS', '/platformapi/alerts'],
  ])('%s %s', async (method, url) => {
    expect((await admin(method, url, ['POST', 'PUT'].includes(method) ? {} : undefined)).body.code).toBe('route_unknown')
  })
})

test('no refusal caused a warning or an error in the log', () => {
  expect(api.log.filter((line) => !line.includes('"level":"info"'))).toEqual([])
})
