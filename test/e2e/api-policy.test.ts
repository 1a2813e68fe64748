import { afterEach, beforeEach, expect, test } from 'vitest'
import { asId, type OrganizationId, type PrincipalId, systemScope } from '../../runtime/domain/index.ts'
import { clientOf } from '../support/api-client.ts'
import { type ApiServer, startApi } from '../support/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
const acme = asId<OrganizationId>('0190-acme')
const globex = asId<OrganizationId>('0190-globex')
const path = '/platformapi/organizations/ACME/policy'

beforeEach(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  for (const [id, code] of [
    [acme, 'ACME'],
    [globex, 'GLOBEX'],
  ] as const) {
    await api.store.organizations.create(systemScope, { id, code, name: code, createdAt: 1, createdBy: asId<PrincipalId>('p') })
  }
})
afterEach(() => api.close())

test('an organization that has set none has the default', async () => {
  const { status, body } = await admin('GET', path)
  expect(status).toBe(200)
  expect(body).toEqual({
    organization_code: 'ACME',
    revision: 0,
    text: '',
    approvals: { high: 'ask', skills: {}, by: ['approver'], approvers: 1, expires: 86_400_000 },
    limits: { impact: { high: null, write: null, targets: null } },
    changes: [],
  })
})

test('a policy is set by revision, shown as it was written, and its changes are kept', async () => {
  const text = 'format: 1\napprovals: { high: none, skills: { mfa.suspend_user: ask } } # quiet\nlimits: { impact: { high: 2 } }\n'
  const first = await admin('PUT', path, { text, revision: 0 })
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({ revision: 1, text, approvals: { high: 'none', skills: { 'mfa.suspend_user': 'ask' } } })
  expect(first.body.limits).toEqual({ impact: { high: 2, write: null, targets: null } })
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

test('mistakes are told with line and column, and nothing is changed', async () => {
  const { status, body } = await admin('PUT', path, { text: 'format: 1\napprovals:\n  skills: { mfa.suspend_usr: ask }\n', file: 'acme.yaml' })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: 'policy_invalid',
    errors: [{ file: 'acme.yaml', line: 3, column: 13, message: expect.stringContaining('mfa.suspend_user') }],
  })
  expect((await admin('PUT', path, { text: 'a: [' })).body).toMatchObject({ code: 'yaml_invalid' })
  expect((await admin('GET', path)).body).toMatchObject({ revision: 0 })
})

test('it takes the permission, and the organization must be within reach', async () => {
  const reader = clientOf(api.app, await api.addKey(['policy:read'], [acme]))
  const stranger = clientOf(api.app, await api.addKey(['policy:read', 'policy:write'], [globex]))
  expect((await reader('GET', path)).status).toBe(200)
  expect((await reader('PUT', path, { text: 'format: 1' })).status).toBe(403)
  expect((await stranger('GET', path)).body).toMatchObject({ code: 'organization_unknown' })
  expect((await stranger('PUT', path, { text: 'format: 1' })).body).toMatchObject({ code: 'organization_unknown' })
  expect((await admin('GET', path)).body).toMatchObject({ revision: 0 })
})
