import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { acme, addTenants, globex } from '../../support/stores/tenants.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
const path = '/platformapi/organizations/ACME/policy'

beforeEach(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(api.store)
})
afterEach(() => api.close())

test('an organization without a policy has the default', async () => {
  const { status, body } = await admin('GET', path)
  expect(status).toBe(200)
  expect(body).toEqual({
    organization_code: 'ACME',
    revision: 0,
    text: '',
    approvals: { high: 'ask', skills: {}, by: ['approver'], approvers: 1, expires: 86_400_000 },
    limits: {
      impact: { high: null, write: null, targets: null },
      quotas: { high: { calls: 20, per: 3_600_000 }, write: null, skills: {} },
      spans: {},
    },
    protected: [],
    changes: [],
  })
})

test('a policy is set by revision, shown as it was written, and its changes are recorded', async () => {
  const text = 'format: 1\napprovals: { high: none, skills: { mfa.suspend_user: ask } } # quiet\nlimits: { impact: { high: 2 } }\n'
  const first = await admin('PUT', path, { text, revision: 0 })
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({ revision: 1, text, approvals: { high: 'none', skills: { 'mfa.suspend_user': 'ask' } } })
  expect(first.body.limits).toMatchObject({ impact: { high: 2, write: null, targets: null } })
  expect((await admin('PUT', path, { text: 'format: 1', revision: 0 })).body).toMatchObject({ code: 'policy_changed', status: 409 })
  expect((await admin('PUT', path, { text, revision: 1 })).body).toMatchObject({ revision: 1 })
  expect((await admin('PUT', path, { text: '{"format": 1}', revision: 1 })).body).toMatchObject({ revision: 2, approvals: { high: 'ask' } })
  const { body } = await admin('GET', path)
  expect(body.changes).toMatchObject([
    { revision: 2, changed_by_name: 'test', changed_at: api.clock.now() },
    { revision: 1, changed_by_name: 'test' },
  ])
  expect((await admin('GET', '/platformapi/organizations/GLOBEX/policy')).body).toMatchObject({ revision: 0 })
})

test('quotas are shown in milliseconds, and protected entities as names and patterns', async () => {
  const text = `format: 1
limits: { quotas: { high: null, skills: { mfa.suspend_user: { calls: 5, per: 10m }, mfa.bypass_user: { calls: 2, per: 1h } } } }
protected: [{ names: [root], match: '/^vip-/', skills: [mfa.suspend_user], reason: Break glass }, { match: eve, reason: VIP }]
`
  const { body } = await admin('PUT', path, { text })
  expect(body.limits.quotas).toEqual({
    high: null,
    write: null,
    skills: { 'mfa.suspend_user': { calls: 5, per: 600_000 }, 'mfa.bypass_user': { calls: 2, per: 3_600_000 } },
  })
  expect(body.protected).toEqual([
    { names: ['root'], pattern: '^vip-', skills: ['mfa.suspend_user'], reason: 'Break glass' },
    { names: ['eve'], pattern: null, skills: null, reason: 'VIP' },
  ])
})

test('the usage of each quota is shown for the skills that have one', async () => {
  const count = (key: string, organization = acme) =>
    api.store.quotas.count(systemScope, { organization, skill: 'mfa.bypass_user', key, quota: { calls: 20, per: 1 }, anyway: true })
  const began = api.clock.now()
  await count('a')
  api.clock.advance(60_000)
  await count('b')
  await count('c', globex)
  const bypass = { skill: 'mfa.bypass_user', impact: 'high', calls: 20, per: 3_600_000, used: 2, since: began, waiting: 0 }
  expect((await admin('GET', `${path}/usage`)).body).toEqual({ organization_code: 'ACME', quotas: [bypass] })
  await admin('PUT', path, { text: 'format: 1\nlimits: { quotas: { high: { calls: 1, per: 30s }, write: { calls: 7, per: 1d } } }\n' })
  expect((await admin('GET', `${path}/usage`)).body.quotas).toEqual([
    { ...bypass, calls: 1, per: 30_000, used: 1, since: began + 60_000 },
    { skill: 'mfa.suspend_user', impact: 'write', calls: 7, per: 86_400_000, used: 0, since: null, waiting: 0 },
  ])
  expect((await admin('GET', '/platformapi/organizations/NOBODY/policy/usage')).body).toMatchObject({ code: 'organization_unknown' })
})

test('mistakes are reported with line and column, and nothing is changed', async () => {
  const { status, body } = await admin('PUT', path, { text: 'format: 1\napprovals:\n  skills: { mfa.suspend_usr: ask }\n', file: 'acme.yaml' })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: 'policy_invalid',
    errors: [{ file: 'acme.yaml', line: 3, column: 13, message: expect.stringContaining('mfa.suspend_user') }],
  })
  expect((await admin('PUT', path, { text: 'a: [' })).body).toMatchObject({ code: 'yaml_invalid' })
  const wide = `format: 1\nprotected:\n${'- { names: [x], reason: x }\n'.repeat(2_001)}`
  const errors = [{ file: 'policy.yaml', line: 3, column: 1, message: 'This list has 2001 items; 2000 are allowed.' }]
  expect((await admin('PUT', path, { text: wide.slice(0, 60_000) })).body).toMatchObject({ code: 'yaml_too_large', errors })
  expect((await admin('GET', path)).body).toMatchObject({ revision: 0 })
})

test('an approver that is probably a misspelt word is refused, unless a principal has that name', async () => {
  const text = (by: string): string => `format: 1\napprovals:\n  by: [approver, ${by}]\n`
  for (const [by, meant] of [
    ['aprover', 'approver'],
    ['Admin', 'admin'],
  ] as const) {
    const { status, body } = await admin('PUT', path, { text: text(by), file: 'acme.yaml' })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'policy_invalid',
        errors: [{ file: 'acme.yaml', line: 3, column: 18, message: expect.stringContaining(`did you mean \`${meant}\``) }],
      },
    })
  }
  expect((await admin('GET', path)).body).toMatchObject({ revision: 0 })
  for (const by of ['decisions:answer', 'Priya', 'soc-team']) expect((await admin('PUT', path, { text: text(by) })).status).toBe(200)
  await admin('POST', '/platformapi/keys', { name: 'Admin', scopes: ['admin'] })
  expect((await admin('PUT', path, { text: text('Admin') })).status).toBe(200)
})

test('reading and setting a policy need their permissions and a key of the organization', async () => {
  const reader = clientOf(api.app, await api.addKey(['policy:read'], [acme]))
  const stranger = clientOf(api.app, await api.addKey(['policy:read', 'policy:write'], [globex]))
  expect((await reader('GET', path)).status).toBe(200)
  expect((await reader('PUT', path, { text: 'format: 1' })).status).toBe(403)
  expect((await stranger('GET', path)).body).toMatchObject({ code: 'organization_unknown' })
  expect((await stranger('GET', `${path}/usage`)).body).toMatchObject({ code: 'organization_unknown' })
  expect((await clientOf(api.app, await api.addKey(['cases:read'], [acme]))('GET', `${path}/usage`)).status).toBe(403)
  expect((await stranger('PUT', path, { text: 'format: 1' })).body).toMatchObject({ code: 'organization_unknown' })
  expect((await admin('GET', path)).body).toMatchObject({ revision: 0 })
})

test('a text is checked and not set; every mistake has its place', async () => {
  const check = async (text: string, client = admin) => (await client('POST', `${path}/check`, { text })).body
  expect(await check('format: 1\n')).toEqual({ valid: true, mistakes: [] })
  const wrong = await check('format: 1\napprovals:\n  skills: { mfa.suspend_usr: ask }\n  by: [ada]\n  approvers: 2\n')
  expect(wrong).toEqual({
    valid: false,
    mistakes: [
      expect.objectContaining({ line: 3, column: 13, message: expect.stringContaining('mfa.suspend_user') }),
      expect.objectContaining({ line: 5, message: expect.stringContaining('2 must approve') }),
    ],
  })
  expect(await check('a: [')).toMatchObject({ valid: false, mistakes: [{ line: expect.any(Number) }] })
  expect(await check('')).toMatchObject({ valid: false })
  expect((await admin('GET', path)).body).toMatchObject({ revision: 0 })
  const stranger = clientOf(api.app, await api.addKey(['policy:read'], [globex]))
  expect(await check('format: 1', stranger)).toMatchObject({ code: 'organization_unknown' })
})

test('every revision can be read as it was written', async () => {
  for (const text of ['format: 1 # one\n', 'format: 1 # two\n']) await admin('PUT', path, { text })
  const read = async (revision: number | string, client = admin) => (await client('GET', `${path}/revisions/${revision}`)).body
  expect(await read(1)).toMatchObject({ organization_code: 'ACME', revision: 1, text: 'format: 1 # one\n', changed_by_name: 'test' })
  for (const unknown of [3, 0, '01', '1e0', '1.0', 'x']) expect(await read(unknown)).toMatchObject({ code: 'policy_revision_unknown', status: 404 })
  // Only a number finds a revision in MongoDB.
  const asked = vi.spyOn(api.store.policies, 'revision')
  await read(2)
  expect(asked.mock.calls.map(([, , revision]) => revision)).toEqual([2])
  const stranger = clientOf(api.app, await api.addKey(['policy:read'], [globex]))
  expect(await read(1, stranger)).toMatchObject({ code: 'organization_unknown' })
})
