import { expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { acme, admin, at, create, reader, refusalOf, simulator } from './connections-system.ts'

const entity = { kind: 'domain', value: 'partner.example' }
const preview = (connection: Answer, skill: string, input: object, as: Target = acme): Promise<Answer> =>
  request(as, 'POST', `${at(connection)}/skills/${skill}/preview`, { input })

test('shows the exact request of a write without the credentials, and sends nothing', async () => {
  const connection = await create()
  const before = simulator.counts.requests
  const shown = await preview(connection, 'mailsec.create_mailsec_trusted_entity', entity)
  expect(shown).toMatchObject({
    skill: 'mailsec.create_mailsec_trusted_entity',
    impact: 'high',
    connection: connection['id'],
    revision: 1,
    organization_code: 'ACME',
    faults: [],
    refused: null,
    quota: { calls: 20, used: 0 },
    request: { method: 'POST', url: expect.stringContaining(simulator.url), signing: null, unknown: [] },
  })
  const { headers } = shown['request'] as { headers: { name: string; value: string | null }[] }
  expect(headers.filter(({ value }) => value === null)).toEqual([{ name: 'x-vendor-client-secret', value: null }])
  expect(JSON.stringify(shown)).not.toContain('right-token')
  expect(simulator.counts.requests).toBe(before)
})

test.each(['12345678901234567890', '-9007199254740993', '1e400'])('a number that no double can hold is a text: %s', async (number) => {
  const connection = await create()
  const sent = async (skill: string, input: string): Promise<Answer> => {
    const headers = { cookie: `Session=${admin.key}`, 'content-type': 'application/json' }
    const response = await fetch(`${admin.url}${at(connection)}/skills/${skill}`, { method: 'POST', headers, body: `{"input":${input}}` })
    return (await response.json()) as Answer
  }
  const settings = `{"kind":"domain","value":"partner.example","detection_settings":{"limit":${number}}}`
  expect(await sent('create_mailsec_trusted_entity/preview', settings)).toMatchObject({
    input: { detection_settings: { limit: number } },
    request: { body: { detectionSettings: { limit: number } } },
  })
  await sent('get_mailsec_issue', `{"issue_id":${number}}`)
  expect(simulator.exchanges.at(-1)?.path).toBe(`/api/v1/issues/${number}`)
})

test('names what is wrong with the input, field by field', async () => {
  const connection = await create()
  const shown = await preview(connection, 'create_mailsec_trusted_entity', { kind: 'planet' })
  expect((shown['faults'] as Answer[]).length).toBeGreaterThan(0)
  expect(shown).toMatchObject({ request: null, targets: [] })
  expect(await refusalOf(preview(connection, 'no_such_skill', {}))).toMatchObject({ code: 'skill_unknown' })
})

test('says why a call would not be sent now: expired, role too low, paused, quota, permission', async () => {
  const write = 'create_mailsec_trusted_entity'
  expect(await preview(await create({ expires_at: 99 }), write, entity)).toMatchObject({ refused: { code: 'connection_expired' } })
  expect(await preview(await create({ role: 'issue_responder' }), write, entity)).toMatchObject({ refused: { code: 'role_too_low' } })
  const connection = await create()
  expect(await preview(connection, write, entity, reader)).toMatchObject({ refused: { code: 'permission_missing' } })
  expect(await preview(connection, 'get_mailsec_issues', {}, reader)).toMatchObject({ refused: null, impact: 'read' })
  const pause = await request(admin, 'POST', '/platformapi/pauses', { connection: connection['id'], reason: 'test' })
  expect(await preview(connection, write, entity)).toMatchObject({ refused: { code: 'paused' } })
  await request(admin, 'DELETE', `/platformapi/pauses/${String(pause['id'])}`)
})

test('shows how full the quota is, and counts nothing', async () => {
  const name = 'mailsec.create_mailsec_trusted_entity'
  const text = `format: 1\nlimits: { quotas: { skills: { ${name}: { calls: 1, per: 1h } } } }\n`
  await request(admin, 'PUT', '/platformapi/organizations/OTHER/policy', { text })
  const connection = await create({ organization_code: 'OTHER' })
  for (const _ of [1, 2]) expect(await preview(connection, name, entity, admin)).toMatchObject({ refused: null, quota: { calls: 1, used: 0 } })
  await request(admin, 'POST', `${at(connection)}/skills/${name}`, { input: entity })
  expect(await preview(connection, name, entity, admin)).toMatchObject({ refused: { code: 'quota_full' }, quota: { calls: 1, used: 1 } })
})

test('a skill that is code has no request to show, but has its targets', async () => {
  const connection = await create()
  const shown = await preview(connection, 'delete_mailsec_trusted_entity', { entity_id: 'te-1' })
  expect(shown).toMatchObject({ request: null, faults: [], targets: ['te-1'] })
})

test('a call made from a preview is not sent if the connection has changed since', async () => {
  const connection = await create()
  const run = (revision: number): Promise<Answer> => request(acme, 'POST', `${at(connection)}/skills/get_mailsec_issues`, { input: {}, revision })
  expect(await run(1)).toMatchObject({ ok: true })
  await request(acme, 'PATCH', at(connection), { revision: 1, description: 'changed' })
  const before = simulator.counts.requests
  expect(await refusalOf(run(1))).toMatchObject({ code: 'connection_changed', status: 409 })
  expect(simulator.counts.requests).toBe(before)
})
