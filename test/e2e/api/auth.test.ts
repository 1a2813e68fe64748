import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import { mostKeys, type OrganizationId, permissions, systemScope } from '../../../runtime/domain/index.ts'
import { clientOf, descriptionOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let acme: OrganizationId
let other: OrganizationId

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  acme = (await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })).body.uuid
  other = (await admin('POST', '/platformapi/organizations', { code: 'Other', name: 'Other' })).body.uuid
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
})
afterAll(() => api.close())

const alert = { alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME' }

describe('access to the API', () => {
  test('a key is accepted as a cookie, among other cookies, in quotes, or as a bearer token', async () => {
    const nobody = clientOf(api.app, null)
    for (const headers of [
      { cookie: `Session=${api.admin}` },
      { cookie: `a=b; Session="${api.admin}"; c=d` },
      { authorization: `Bearer ${api.admin}` },
      { authorization: `bearer ${api.admin}`, cookie: 'Session=wrong' },
    ]) {
      expect((await nobody('GET', '/platformapi/organizations', undefined, headers as Record<string, string>)).status).toBe(200)
    }
  })

  test('without a valid key, only health, version and the OpenAPI document can be read', async () => {
    const nobody = clientOf(api.app, null)
    const stranger = clientOf(api.app, `tsk_${systemIds.secret(32)}`)
    const document = await descriptionOf(api.app)
    const open: string[] = []
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { operationId }] of Object.entries(operations)) {
        const url = path.replace('{id}', 'x').replace('{key}', 'x')
        const missing = await nobody(method.toUpperCase(), url)
        if (missing.status === 200) open.push(operationId)
        else if (path.endsWith('/raw/{key}')) expect(missing.body.code).toBe('key_rejected')
        else {
          expect(missing.body.code).toBe('key_missing')
          // Without this pause, so many wrong keys would lock out the address.
          api.clock.advance(6_000)
          expect((await stranger(method.toUpperCase(), url)).body.code).toBe('key_rejected')
        }
      }
    }
    expect(open.sort()).toEqual(['getVersion', 'health', 'openapi', 'ready'])
  })

  test('each operation needs the permission that the OpenAPI document names, and no other', async () => {
    const document = await descriptionOf(api.app)
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { 'x-scope': scope }] of Object.entries(operations)) {
        if (scope === undefined) continue
        const without = await api.addKey(permissions.filter((each) => each !== scope && each !== 'admin'))
        const withIt = await api.addKey([scope])
        const ask = (key: string) => clientOf(api.app, key)(method.toUpperCase(), path.replace('{id}', 'x').replace('{key}', key))
        expect((await ask(without)).body.code).toBe('permission_missing')
        expect([path, (await ask(withIt)).status]).not.toEqual([path, 403])
      }
    }
  })
})

describe('keys', () => {
  test('a new key has the permissions of an alert source, works, and is shown once', async () => {
    const { status, headers, body } = await admin('POST', '/platformapi/keys', { name: 'siem' })
    expect(status).toBe(201)
    expect(headers['cache-control']).toBe('no-store')
    expect(body.key).toMatch(/^tsk_[A-Za-z0-9_-]{43}$/)
    expect(body).toMatchObject({
      name: 'siem',
      scopes: ['alerts:write', 'alerts:read', 'organizations:read', 'providers:read'],
      organizations: 'all',
      revoked_at: null,
    })
    const siem = clientOf(api.app, body.key)
    expect((await siem('POST', '/platformapi/alerts', alert)).body.created_by).toBe(body.principal_uuid)
    const listed = await admin('GET', '/platformapi/keys?limit=1000')
    const found = listed.body.items.find(({ id }: { id: string }) => id === body.id)
    expect(found).toEqual({ ...body, key: undefined, last_used_at: api.clock.now() })
    expect(body).toMatchObject({ expires_at: null, expired: false, last_used_at: null })
    expect(JSON.stringify(listed.body)).not.toContain('tsk_')
  })

  test('a key says whose key made it', async () => {
    const byKey = async (client: ReturnType<typeof clientOf>) => (await client('POST', '/platformapi/keys', { name: 'made' })).body
    const { body: ada } = await admin('POST', '/platformapi/keys', { name: 'ada', scopes: ['admin'] })
    const made = await byKey(clientOf(api.app, ada.key))
    expect(made).toMatchObject({ created_by: ada.principal_uuid, created_by_name: 'ada' })
    const { items } = (await admin('GET', '/platformapi/keys?limit=1000')).body
    const found = (id: string) => items.find((item: { id: string }) => item.id === id)
    expect(found(made.id)).toMatchObject({ created_by: ada.principal_uuid, created_by_name: 'ada' })
    // A key of the administrator made it.
    const root = found(ada.id).created_by
    expect(items.find((item: { principal_uuid: string }) => item.principal_uuid === root)).toMatchObject({ created_by: null, created_by_name: null })
  })

  test('a revoked key is refused at once, and stays in the list', async () => {
    const { body } = await admin('POST', '/platformapi/keys', { name: 'short-lived' })
    const user = clientOf(api.app, body.key)
    expect((await user('GET', '/platformapi/organizations')).status).toBe(200)
    expect((await admin('DELETE', `/platformapi/keys/${body.id}`)).status).toBe(204)
    expect((await user('GET', '/platformapi/organizations')).body.code).toBe('key_rejected')
    expect((await admin('DELETE', `/platformapi/keys/${body.id}`)).status).toBe(204)
    const { items } = (await admin('GET', '/platformapi/keys?limit=1000')).body
    expect(items.find(({ id }: { id: string }) => id === body.id).revoked_at).toBe(api.clock.now())
  })

  test('a key with an expiry works until then, and the list says so', async () => {
    const now = api.clock.now()
    const { body } = await admin('POST', '/platformapi/keys', { name: 'contractor', scopes: ['keys:write', 'keys:read'], expires_at: now + 1_000 })
    expect(body).toMatchObject({ expires_at: now + 1_000, expired: false })
    const user = clientOf(api.app, body.key)
    expect((await user('GET', '/platformapi/keys')).status).toBe(200)
    api.clock.advance(1_000)
    expect((await user('GET', '/platformapi/keys')).body).toMatchObject({ code: 'key_rejected', detail: expect.stringContaining('expired') })
    const { items } = (await admin('GET', '/platformapi/keys?limit=1000')).body
    expect(items.find(({ id }: { id: string }) => id === body.id)).toMatchObject({ expired: true, revoked_at: null })
  })

  test('a key cannot make one that expires later than itself', async () => {
    const expires_at = api.clock.now() + 60_000
    const { body } = await admin('POST', '/platformapi/keys', { name: 'for a week', scopes: ['keys:write'], expires_at })
    const user = clientOf(api.app, body.key)
    const wrong = { status: 400, body: { code: 'body_invalid', errors: [{ field: 'expires_at' }] } }
    expect(await user('POST', '/platformapi/keys', { name: 'x', scopes: ['keys:write'], expires_at: expires_at + 1 })).toMatchObject(wrong)
    expect(await user('POST', '/platformapi/keys', { name: 'x', scopes: ['keys:write'], expires_at: api.clock.now() })).toMatchObject(wrong)
    const made = await user('POST', '/platformapi/keys', { name: 'x', scopes: ['keys:write'] })
    expect(made.body.expires_at).toBe(expires_at)
  })

  test('a key that another process revoked is refused after two seconds', async () => {
    const { body } = await admin('POST', '/platformapi/keys', { name: 'elsewhere' })
    const user = clientOf(api.app, body.key)
    await user('GET', '/platformapi/organizations')
    await api.store.principals.revokeKey(systemScope, body.id, api.clock.now())
    api.clock.advance(2_000)
    expect((await user('GET', '/platformapi/organizations')).body.code).toBe('key_rejected')
  })

  test('a new key cannot have permissions or organizations that its creator does not have', async () => {
    const clerk = clientOf(api.app, await api.addKey(['keys:write', 'keys:read', 'alerts:read'], [acme]))
    const create = (body: object) => clerk('POST', '/platformapi/keys', { name: 'x', ...body })
    expect((await create({})).body.code).toBe('permission_missing')
    expect((await create({ scopes: ['admin'] })).body.code).toBe('permission_missing')
    expect((await create({ scopes: ['alerts:read'], organizations: 'all' })).body.code).toBe('organization_forbidden')
    expect((await create({ scopes: ['alerts:read'], organizations: ['Other'] })).body.code).toBe('organization_unknown')
    const { status, body } = await create({ scopes: ['alerts:read', 'alerts:read'] })
    expect(status).toBe(201)
    expect(body).toMatchObject({ scopes: ['alerts:read'], organizations: ['ACME'] })
  })

  test('each organization has its own limit of keys that are not revoked, and all organizations together have theirs', async () => {
    const full = (await admin('POST', '/platformapi/organizations', { code: 'FULL', name: 'Full' })).body.uuid
    const create = (organizations: unknown) => admin('POST', '/platformapi/keys', { name: 'one more', organizations })
    const { body: first } = await create(['FULL'])
    await Promise.all(Array.from({ length: mostKeys - 1 }, () => api.addKey(['alerts:write'], [full])))
    expect((await create(['ACME', 'FULL'])).body).toMatchObject({
      status: 409,
      code: 'keys_exceeded',
      detail: `No more than ${mostKeys} API keys can be valid for the organization FULL. ${mostKeys} are.`,
    })
    for (const organizations of [['ACME'], 'all']) expect((await create(organizations)).status).toBe(201)
    expect((await admin('DELETE', `/platformapi/keys/${first.id}`)).status).toBe(204)
    expect((await create(['FULL'])).status).toBe(201)
  })

  test('a key of some organizations sees and revokes only keys within them', async () => {
    const clerk = clientOf(api.app, await api.addKey(['keys:write', 'keys:read'], [acme]))
    const outside = (await admin('POST', '/platformapi/keys', { name: 'outside', organizations: ['Other'] })).body
    const everywhere = (await admin('POST', '/platformapi/keys', { name: 'everywhere' })).body
    const inside = (await admin('POST', '/platformapi/keys', { name: 'inside', organizations: ['ACME'] })).body
    const seen = (await clerk('GET', '/platformapi/keys?limit=1000')).body.items.map(({ id }: { id: string }) => id)
    expect(seen).toContain(inside.id)
    for (const { id } of [outside, everywhere]) {
      expect(seen).not.toContain(id)
      expect((await clerk('DELETE', `/platformapi/keys/${id}`)).body.code).toBe('key_unknown')
    }
    // A key cannot revoke a key that has more permissions.
    const refused = await clerk('DELETE', `/platformapi/keys/${inside.id}`)
    expect(refused.body).toMatchObject({ code: 'permission_missing', detail: expect.stringContaining('alerts:write') })
    const peer = clientOf(api.app, await api.addKey(['keys:write', 'alerts:write', 'alerts:read', 'organizations:read', 'providers:read'], [acme]))
    expect((await peer('DELETE', `/platformapi/keys/${inside.id}`)).status).toBe(204)
    expect((await clientOf(api.app, outside.key)('GET', '/platformapi/organizations')).status).toBe(200)
  })

  test.each([
    [{}, 'body_invalid'],
    [{ name: 'x', scopes: ['everything'] }, 'body_invalid'],
    [{ name: 'x', scopes: [] }, 'body_invalid'],
    [{ name: 'x', organizations: 'some' }, 'body_invalid'],
    [{ name: 'x', organizations: [] }, 'body_invalid'],
    [{ name: 'x', organizations: Array.from({ length: 2_000 }, () => 1) }, 'body_invalid'],
    [{ name: 'x\ny' }, 'body_invalid'],
    [{ name: 'x', key: 'tsk_mine' }, 'field_unknown'],
    [{ name: 'x', organizations: ['NOBODY'] }, 'organization_unknown'],
  ])('a new key with %j is refused', async (body, code) => {
    expect((await admin('POST', '/platformapi/keys', body)).body.code).toBe(code)
  })
})

describe('an organization outside the key looks as if it did not exist', () => {
  test('when the key posts, lists and reads', async () => {
    const inside = clientOf(api.app, await api.addKey(['alerts:write', 'alerts:read', 'cases:read', 'organizations:read'], [acme]))
    const { body: foreign } = await admin('POST', '/platformapi/alerts', { ...alert, organization_code: 'Other' })
    const strip = (answer: { status: number; body: Record<string, unknown> }) => ({ ...answer.body, request_id: null })

    const [out, none] = [
      { ...alert, organization_code: 'Other' },
      { ...alert, organization_code: 'NOBODY' },
    ]
    expect(strip(await inside('POST', '/platformapi/alerts', out))).toEqual(
      JSON.parse(JSON.stringify(strip(await inside('POST', '/platformapi/alerts', none))).replaceAll('NOBODY', 'Other')),
    )
    expect((await inside('GET', '/platformapi/alerts?organization=Other')).body.code).toBe('organization_unknown')
    expect((await inside('GET', '/platformapi/cases?organization=Other')).body.code).toBe('organization_unknown')
    expect((await inside('GET', `/platformapi/alerts/${foreign.alert_id}`)).body.code).toBe('alert_unknown')
    expect((await inside('GET', `/platformapi/alerts/${foreign.alert_uuid}`)).body.code).toBe('alert_unknown')
    expect((await inside('POST', `/platformapi/alerts/${foreign.alert_uuid}/retry`)).body.code).toBe('alert_unknown')
    expect(
      (await inside('GET', '/platformapi/alerts')).body.items.every(
        ({ organization_code }: { organization_code: string }) => organization_code === 'ACME',
      ),
    ).toBe(true)
    expect((await inside('GET', '/platformapi/organizations')).body.items.map(({ code }: { code: string }) => code)).toEqual(['ACME'])
  })

  test('a key of some organizations cannot create organizations or providers', async () => {
    const limited = clientOf(api.app, await api.addKey(['admin'], [acme, other]))
    expect((await limited('POST', '/platformapi/organizations', { code: 'New', name: 'New' })).body.code).toBe('organization_forbidden')
    expect((await limited('POST', '/platformapi/providers', { code: 'new', name: 'New' })).body.code).toBe('organization_forbidden')
  })
})
