import { expect, test } from 'vitest'
import { type Answer, simulated } from './testing.ts'

const { call, simulator } = simulated('settings_admin')
const settings = (id: string, body: object): Promise<Answer> => call(`/api/v1/accounts/${id}/settings`, { method: 'PATCH', body })
const detections = (body: object): Promise<Answer> => call('/api/v1/detections', { method: 'PATCH', body })

test("an account's settings: delegates are added and removed, `default` removes an override, other settings stay", async () => {
  const first = await settings('acc-1', {
    challengeDelegates: { add: ['grace.hopper@acme.example'] },
    featureOverrides: [{ feature: 'leak_protection', state: 'off' }],
  })
  expect(first.json).toMatchObject({
    vip: true,
    challengeDelegates: ['grace.hopper@acme.example'],
    featureOverrides: [
      { feature: 'identity_challenge', state: 'on' },
      { feature: 'leak_protection', state: 'off' },
    ],
  })
  const body = {
    vip: false,
    challengeDelegates: { remove: ['grace.hopper@acme.example'] },
    featureOverrides: [{ feature: 'leak_protection', state: 'default' }],
  }
  await settings('acc-1', body)
  expect(simulator().account('acc-1')).toMatchObject({
    vip: false,
    challengeDelegates: [],
    featureOverrides: [{ feature: 'identity_challenge', state: 'on' }],
  })
  expect((await call('/api/v1/accounts?id=acc-1&id=acc-2')).json.items).toHaveLength(2)
})

test.each([
  [{}, 'Nothing'],
  [{ vip: 'yes' }, 'vip must be'],
  [{ challengeDelegates: ['a'] }, 'challengeDelegates must be an object'],
  [{ challengeDelegates: { add: ['mallory@evil.example'] } }, 'no account of the tenant'],
  [{ challengeDelegates: { add: ['ada.lovelace@acme.example'] } }, 'the account itself'],
  [{ featureOverrides: [{ feature: 'teleport', state: 'on' }] }, 'featureOverrides has an item'],
])('wrong settings change nothing: %j', async (body, message) => {
  const before = simulator().account('acc-1')
  const answer = await settings('acc-1', body)
  expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringContaining(message)])
  expect(simulator().account('acc-1')).toEqual(before)
})

test('settings need Settings Admin, and a known account', async () => {
  expect((await settings('acc-99', { vip: true })).status).toBe(404)
  simulator().setRole('email_content_admin')
  expect((await settings('acc-1', { vip: true })).status).toBe(403)
})

test('lists detections with their overrides and counts', async () => {
  simulator().setRole('any_admin_role')
  expect((await call('/api/v1/detections?id=graymail')).json.items).toMatchObject([
    { id: 'graymail', enabled: true, domainOverrides: [{ domain: 'acme-labs.example', enabled: false }], issueCounts: { total: 4 } },
  ])
  expect((await call('/api/v1/detections?rolloutState=preview')).json.meta.totalCount).toBe(1)
  expect((await detections({ ids: ['graymail'], enabled: false })).status).toBe(403)
})

test('an override does not change the default, and the default does not change overrides', async () => {
  simulator().setRole('analyst')
  await detections({ ids: ['graymail', 'suspicious_link'], enabled: false, domains: ['acme.example'] })
  expect(simulator().detection('suspicious_link')).toMatchObject({ enabled: true, domainOverrides: [{ domain: 'acme.example', enabled: false }] })
  await detections({ ids: ['suspicious_link'], enabled: false })
  expect(simulator().detection('suspicious_link')).toMatchObject({
    enabled: false,
    status: 'disabled',
    domainOverrides: [{ domain: 'acme.example', enabled: false }],
  })
  expect((await detections({ ids: ['suspicious_link'], enabled: true, domains: ['other.example'] })).status).toBe(400)
  expect((await detections({ ids: ['graymail', 'none'], enabled: false })).status).toBe(404)
  expect(simulator().detection('graymail')?.enabled).toBe(true)
})

test('marks messages sensitive and not sensitive, all or none', async () => {
  const mark = (messageIds: readonly string[], sensitive: boolean): Promise<Answer> =>
    call('/api/v1/messages/mark-sensitive', { method: 'POST', body: { messageIds, sensitive } })
  const { json } = await call(`/api/v1/issues/${encodeURIComponent((await call('/api/v1/issues?limit=1')).json.items[0].id)}/messages`)
  const [first, second] = json.items
  expect((await mark([first.id, second.id], true)).status).toBe(202)
  expect((await call(`/api/v1/messages/${encodeURIComponent(first.id)}`)).json.sensitive).toBe(true)
  expect((await mark([first.id, 'none'], false)).status).toBe(404)
  expect(simulator().message(first.id)?.sensitive).toBe(true)
  await mark([first.id], false)
  expect([simulator().message(first.id)?.sensitive, simulator().message(second.id)?.sensitive]).toEqual([false, true])
})

test('a role change applies to existing tokens, also over the control interface', async () => {
  await call('/_simulator/role', { method: 'POST', body: { role: 'issue_responder' } })
  expect((await settings('acc-1', { vip: true })).status).toBe(403)
  expect((await call('/_simulator/role', { method: 'POST', body: { role: 'god' } })).status).toBe(400)
})
