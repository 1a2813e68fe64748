import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await admin('POST', '/platformapi/organizations', { code: 'Other', name: 'Other' })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
})
afterAll(() => api.close())

const alert = { alert_content: 'Something happened', alert_provider: 'edr', organization_code: 'ACME' }
const post = (body: object, headers: Record<string, string> = {}): Promise<Answer> => admin('POST', '/platformapi/alerts', body, headers)

describe('posting an alert', () => {
  test('answers with exactly the fields of specification 2.2, in status 0', async () => {
    const { status, body } = await post({ ...alert, alert_type: 'Phishing', created_at_source: 1_700_000_000_000 })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(
      (
        'alert_content alert_id alert_provider alert_type alert_uuid created_at created_at_source created_by ' +
        'investigation_retry_count investigation_status modified_at organization_code organization_uuid'
      ).split(' '),
    )
    expect(body).toMatchObject({
      alert_content: 'Something happened',
      alert_provider: 'edr',
      alert_type: 'Phishing',
      created_at: api.clock.now(),
      created_at_source: 1_700_000_000_000,
      investigation_retry_count: 0,
      investigation_status: 0,
      organization_code: 'ACME',
    })
    expect(body.alert_id).toMatch(/^ACME-EDR-\d+$/)
    expect(api.jobs.at(-1)).toMatchObject({ alert: body.alert_uuid, type: 'phishing', attempt: 1 })
  })

  test('without a type stores the alert, but does not investigate it', async () => {
    const before = api.jobs.length
    const { body } = await post(alert)
    expect(body).toMatchObject({ alert_type: null, created_at_source: null, investigation_status: 0 })
    expect(api.jobs.length).toBe(before)
  })

  test('ignores the case of the provider, and returns it as it was sent', async () => {
    const { body } = await post({ ...alert, alert_provider: 'Edr' })
    expect(body.alert_provider).toBe('Edr')
    expect(body.alert_id).toMatch(/^ACME-EDR-\d+$/)
  })

  test.each([
    ['control characters and NUL', 'a\u0000b\u0001\n\t\u007f'],
    ['characters of every Unicode plane', 'é 漢 😀 \u{10ffff} \ufeff \u2028'],
    ['nothing', ''],
    ['JSON', JSON.stringify({ title: 'x', nested: { __proto__: 1, quote: '"\\' } })],
  ])('returns the content as it was sent: %s', async (_name, content) => {
    const { status, body } = await post({ ...alert, alert_content: content })
    expect(status).toBe(200)
    expect(body.alert_content).toBe(content)
    expect((await admin('GET', `/platformapi/alerts/${body.alert_uuid}`)).body.alert_content).toBe(content)
  })

  test('takes -0 as 0, and accepts the largest exact integers', async () => {
    const raw = (number: string) => `{"alert_content":"x","alert_provider":"edr","organization_code":"ACME","created_at_source":${number}}`
    for (const [sent, stored] of [
      ['-0', 0],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
      ['-9007199254740991', -Number.MAX_SAFE_INTEGER],
      ['1e3', 1000],
    ] as const) {
      const { body } = await admin('POST', '/platformapi/alerts', raw(sent))
      expect(Object.is(body.created_at_source, stored)).toBe(true)
    }
  })

  test('gives rising numbers for each organization and provider', async () => {
    const first = await post(alert)
    const second = await post(alert)
    const number = ({ body }: Answer) => Number(body.alert_id.split('-').at(-1))
    expect(number(second)).toBeGreaterThan(number(first))
  })
})

describe('a repeat', () => {
  test('with the same idempotency key and body returns the first alert', async () => {
    const first = await post({ ...alert, alert_type: 't' }, { 'idempotency-key': 'repeat-1' })
    const second = await post({ ...alert, alert_type: 't' }, { 'idempotency-key': 'repeat-1' })
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.body.alert_uuid).toBe(first.body.alert_uuid)
  })

  test('with the same idempotency key and another body is refused', async () => {
    await post(alert, { 'idempotency-key': 'repeat-2' })
    expect((await post({ ...alert, alert_content: 'else' }, { 'idempotency-key': 'repeat-2' })).body.code).toBe('idempotency_key_reused')
  })

  test('with the same idempotency key from another principal is a new alert', async () => {
    const first = await post(alert, { 'idempotency-key': 'repeat-3' })
    const other = clientOf(api.app, await api.addKey(['alerts:write']))
    const second = await other('POST', '/platformapi/alerts', alert, { 'idempotency-key': 'repeat-3' })
    expect(second.body.alert_uuid).not.toBe(first.body.alert_uuid)
  })

  test.each([
    ['that is empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with an umlaut', 'umlaut-\u00fc'],
    ['with a tab', 'tab\there'],
  ])('an idempotency key %s is refused', async (_name, key) => {
    expect((await post(alert, { 'idempotency-key': key })).body.code).toBe('idempotency_key_invalid')
  })

  test('an idempotency key of 255 characters, with commas and spaces, is accepted', async () => {
    expect((await post(alert, { 'idempotency-key': 'a, b'.padEnd(255, '~') })).status).toBe(200)
  })
})

describe('a batch', () => {
  const batch = (alerts: unknown) => admin('POST', '/platformapi/alerts/batch', { alerts })

  test('returns an alert or an error for each item, in order', async () => {
    const { status, body } = await batch([
      { ...alert, alert_content: 'first', alert_type: 't' },
      { ...alert, organization_code: 'NOBODY' },
      { ...alert, alert_provider: 'nothing' },
      { ...alert, alert_contents: 'x' },
      { alert_provider: 'edr', organization_code: 'ACME' },
      'not an object',
      null,
      { ...alert, idempotency_key: '' },
      { ...alert, alert_content: 'x'.repeat(65_537) },
      { ...alert, alert_content: 'last' },
    ])
    expect(status).toBe(200)
    expect(body.results.map((result: Answer['body']) => result.error?.code ?? result.alert.alert_content)).toEqual([
      'first',
      'organization_unknown',
      'provider_unknown',
      'field_unknown',
      'body_invalid',
      'body_invalid',
      'body_invalid',
      'idempotency_key_invalid',
      'body_too_large',
      'last',
    ])
    for (const result of body.results) expect(result.status).toBe(result.error?.status ?? 200)
    expect(body.results[4].error.errors).toEqual([{ field: 'alert_content', message: 'is required' }])
    expect(body.results[7].error.errors).toEqual([{ field: 'idempotency_key', message: 'needs 1 to 255 printable ASCII characters' }])
  })

  test('recognizes repeated items, even within one batch', async () => {
    const item = { ...alert, idempotency_key: 'batch-1' }
    const { body } = await batch([item, item, { ...item, alert_content: 'else' }])
    expect(body.results[1].alert.alert_uuid).toBe(body.results[0].alert.alert_uuid)
    expect(body.results[2].error.code).toBe('idempotency_key_reused')
    expect((await batch([item])).body.results[0].alert.alert_uuid).toBe(body.results[0].alert.alert_uuid)
  })

  test('accepts up to a thousand alerts, with unique numbers, and refuses an empty batch', async () => {
    const { body } = await batch(Array.from({ length: 1_000 }, () => alert))
    expect(new Set(body.results.map((result: Answer['body']) => result.alert.alert_id)).size).toBe(1_000)
    expect((await batch(Array.from({ length: 1_001 }, () => alert))).body.code).toBe('body_invalid')
    expect((await batch([])).body.code).toBe('body_invalid')
    expect((await batch('x')).body.code).toBe('body_invalid')
    expect((await admin('POST', '/platformapi/alerts/batch', { alerts: [alert], more: 1 })).body.code).toBe('field_unknown')
  })

  test('refuses the header Idempotency-Key, because it would protect nothing', async () => {
    const answer = await admin('POST', '/platformapi/alerts/batch', { alerts: [alert] }, { 'idempotency-key': 'x' })
    expect(answer.body.code).toBe('idempotency_key_invalid')
  })
})

describe('reading one alert', () => {
  test('works by alert_id or UUID in any case, and returns the fields of the Alerts page', async () => {
    const { body: created } = await post({ ...alert, alert_content: '{"title":"Leaked password"}', alert_type: 'leak' })
    for (const id of [created.alert_id, created.alert_uuid, created.alert_uuid.toUpperCase()]) {
      const { status, body } = await admin('GET', `/platformapi/alerts/${id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        alert_uuid: created.alert_uuid,
        alert_content: '{"title":"Leaked password"}',
        alert_name: 'Leaked password',
        investigator: null,
        case_id: null,
        completed_at: null,
        runs: [],
        case: null,
      })
    }
  })

  test.each([
    ['that no alert has', 'ACME-EDR-999999'],
    ['that is a UUID, but not of an alert', '01890000-0000-7000-8000-000000000000'],
    ['with a NUL', '%00'],
    ['with an emoji', '%F0%9F%98%80'],
    ['of 8,000 characters', 'x'.repeat(8_000)],
    ['with a path in it', '..%2f..'],
    ['__proto__', '__proto__'],
  ])('an id %s is unknown', async (_name, id) => {
    expect((await admin('GET', `/platformapi/alerts/${id}`)).body.code).toBe('alert_unknown')
  })
})
