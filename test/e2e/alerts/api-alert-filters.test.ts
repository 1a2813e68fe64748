import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimOf, endOf, everyone, openSession } from '../../conformance/storage/fixtures.ts'
import { type Answer, clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let caseId: string

const post = async (change: object = {}): Promise<Answer['body']> => {
  const { body } = await admin('POST', '/platformapi/alerts', { alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME', ...change })
  await api.handedOver()
  return body
}
const list = async (query: string): Promise<string[]> =>
  (await admin('GET', `/platformapi/alerts?${query}`)).body.items.map((item: Answer['body']) => item.alert_id)

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  for (const code of ['ACME', 'OTHER']) await admin('POST', '/platformapi/organizations', { code, name: code })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'edr' })
  await post({ alert_content: '{"user":"Ana@example.com","from":{"ip":"203.0.113.1"}}', alert_type: 'theft' })
  await post({ alert_content: 'ana from 203.0.113.10', alert_type: 'theft' })
  await post()
  const [alert] = (await api.store.alerts.list(everyone, { sort: 'created_at', after: null, limit: 1, preview: 9 })).items
  if (!alert) throw new Error('There is no alert.')
  const claim = claimOf(alert, await openSession(api.store), 1, api.clock.now())
  const claimed = await api.store.runs.claim(everyone, claim)
  if (claimed.kind !== 'claimed') throw new Error('The alert was not claimed.')
  caseId = claimed.run.caseId
  await api.store.runs.end(everyone, endOf(claimed.run.id, claimed.run.epoch, claimed.position, { at: api.clock.now() + 5_000 }))
})
afterAll(() => api.close())

test.each([
  ['finished=true', ['ACME-EDR-1']],
  ['finished=false', ['ACME-EDR-2']],
  ['playbook=phishing-reported', ['ACME-EDR-1']],
  ['playbook=other', []],
  ['contains=ana%40EXAMPLE.com', ['ACME-EDR-1']],
  ['contains=203.0.113.1', ['ACME-EDR-1']],
  ['contains=203.0.113.10', ['ACME-EDR-2']],
  ['q=203.0.113.1&sort=created_at', ['ACME-EDR-1', 'ACME-EDR-2']],
])('%s', async (query, expected) => {
  expect(await list(query)).toEqual(expected)
  const { body } = await admin('GET', `/platformapi/alerts/count?${query.replace('&sort=created_at', '')}`)
  expect(body).toEqual({ count: expected.length, exact: true })
})

test('the alerts of a case', async () => {
  expect(await list(`case=${caseId}`)).toEqual(['ACME-EDR-1'])
  expect((await admin('GET', '/platformapi/alerts?case=ACME-99')).body.code).toBe('case_unknown')
  expect((await admin('GET', '/platformapi/alerts/count?case=ACME-99')).body.code).toBe('case_unknown')
})

test('a text without a word cannot be searched for', async () => {
  expect((await admin('GET', '/platformapi/alerts?contains=%3A%2F%2F')).body.code).toBe('query_invalid')
})

test('a count sees only what the key may see, and is kept for some seconds', async () => {
  const other = clientOf(api.app, await api.addKey(['alerts:read'], []))
  expect((await other('GET', '/platformapi/alerts/count')).body).toEqual({ count: 0, exact: true })
  expect((await clientOf(api.app, await api.addKey(['cases:read']))('GET', '/platformapi/alerts/count')).status).toBe(403)
  const count = async () => (await admin('GET', '/platformapi/alerts/count?type=late')).body.count
  expect(await count()).toBe(0)
  await post({ alert_type: 'late', organization_code: 'OTHER' })
  expect(await count()).toBe(0)
  api.clock.advance(5_001)
  expect(await count()).toBe(1)
})

test('an alert lists its observables', async () => {
  const { body } = await admin('GET', '/platformapi/alerts/ACME-EDR-1')
  expect(body.observables).toEqual([
    { kind: 'email_address', value: 'Ana@example.com', places: ['user'] },
    { kind: 'ip_address', value: '203.0.113.1', places: ['from.ip'] },
  ])
  expect(body.more_observables).toBe(false)
})

test('a preview says whether an alert can be retried, and changes nothing', async () => {
  const preview = async (id: string) => (await admin('GET', `/platformapi/alerts/${id}/retry`)).body
  expect(await preview('ACME-EDR-1')).toEqual({ alert_id: 'ACME-EDR-1', retriable: true, earlier_writes: [] })
  expect(await preview('ACME-EDR-2')).toMatchObject({ retriable: false })
  expect(await preview('ACME-EDR-3')).toMatchObject({ retriable: false })
  expect((await admin('GET', '/platformapi/alerts/ACME-EDR-1')).body).toMatchObject({ investigation_status: 15, investigation_retry_count: 0 })
  const stranger = clientOf(api.app, await api.addKey(['alerts:read'], []))
  expect((await stranger('GET', '/platformapi/alerts/ACME-EDR-1/retry')).body.code).toBe('alert_unknown')
})

test('statistics count alerts by hour, provider and outcome, and runs by playbook', async () => {
  api.clock.advance(60_000)
  const { status, body } = await admin('GET', '/platformapi/statistics?hours=1&organization=ACME')
  expect(status).toBe(200)
  expect(body).toMatchObject({ complete: true, to: api.clock.now() + 1, alerts: { total: 3, time_to_verdict: { count: 1 } } })
  const sum = (outcome: string) =>
    body.alerts.hours.filter((each: Answer['body']) => each.outcome === outcome).reduce((all: number, { count }: Answer['body']) => all + count, 0)
  expect([sum('completed'), sum('open'), sum('stored'), sum('failed')]).toEqual([1, 1, 1, 0])
  expect(body.playbooks).toMatchObject([{ playbook: 'phishing-reported', runs: 1, completed: 1, failed: 0, open: 0, success_rate: 1 }])
  expect(body.playbooks[0].duration_p50 / 5_000).toBeCloseTo(1, 1)
})

test('statistics follow the scope and the permissions of the key', async () => {
  const stranger = clientOf(api.app, await api.addKey(['alerts:read', 'runs:read'], []))
  expect((await stranger('GET', '/platformapi/statistics')).body).toMatchObject({ alerts: { total: 0, hours: [] }, playbooks: [] })
  expect((await stranger('GET', '/platformapi/statistics?organization=ACME')).body.code).toBe('organization_unknown')
  const source = clientOf(api.app, await api.addKey(['alerts:read']))
  expect((await source('GET', '/platformapi/statistics?hours=168')).body).toMatchObject({ playbooks: null })
  const nobody = clientOf(api.app, await api.addKey(['cases:read']))
  expect((await nobody('GET', '/platformapi/statistics')).status).toBe(403)
  expect((await admin('GET', '/platformapi/statistics?hours=169')).status).toBe(400)
})
