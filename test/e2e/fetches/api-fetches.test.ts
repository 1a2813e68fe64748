import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, Refused, request, type Target } from '../../../runtime/cli/client.ts'
import { type MfaSystem, mfaCredentials, startMfaSystem } from '../../support/mfa-system.ts'

/* What the API refuses, and whom. `fetches.test.ts` has what a fetch brings. */

let mfa: MfaSystem
let admin: Target

beforeAll(async () => {
  mfa = await startMfaSystem('IDP')
  admin = mfa.admin
})
afterAll(() => mfa?.stop())

const draft = (more: object = {}): Record<string, unknown> => ({
  name: 'Users',
  organization_code: 'ACME',
  connection: mfa.connection['id'],
  skill: 'mfa.get_mfa_user_details',
  input: { username: 'alan.turing@acme.example' },
  alert_provider: 'idp',
  enabled: false,
  ...more,
})
const create = (more: object = {}, target = admin): Promise<Answer> => request(target, 'POST', '/platformapi/fetches', draft(more))
/** Returns the problem of a refused request. */
const refused = (work: Promise<unknown>): Promise<Answer> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => (error instanceof Refused ? (error.problem as unknown as Answer) : Promise.reject(error as Error)),
  )
const keyWith = async (scopes: readonly string[], organizations?: readonly string[]): Promise<Target> => {
  const made = await request(admin, 'POST', '/platformapi/keys', { name: 'k', scopes, ...(organizations && { organizations }) })
  return { url: admin.url, key: String(made['key']) }
}

test('a fetch shows what was sent, with its defaults, and what it has done', async () => {
  const made = await create()
  expect(made).toMatchObject({
    name: 'Users',
    organization_code: 'ACME',
    instance: 'mfa',
    integration: 'mfa',
    skill: 'get_mfa_user_details',
    items_at: '',
    alert_type: null,
    every_seconds: 60,
    overlap_seconds: 900,
    enabled: false,
    failures: 0,
    last_attempt: null,
    fetched_at: null,
    revision: 1,
  })
  expect(await request(admin, 'GET', `/platformapi/fetches/${made['id']}`)).toEqual(made)
})

test('an outdated change is refused, a change of some fields leaves the others, and since is set', async () => {
  const { id } = await create({ alert_type: 'user', idempotency_key_at: '/id' })
  const path = `/platformapi/fetches/${id}`
  const changed = await request(admin, 'PATCH', path, { revision: 1, alert_type: null, every_seconds: 90, since: 5 })
  expect(changed).toMatchObject({ alert_type: null, idempotency_key_at: '/id', every_seconds: 90, since: 5, revision: 2 })
  expect(await refused(request(admin, 'PATCH', path, { revision: 1, name: 'late' }))).toMatchObject({ status: 409, code: 'fetch_changed' })
  expect(await request(admin, 'GET', path)).toEqual(changed)
})

test('a fetch whose connection is gone can be disabled and removed, and not enabled', async () => {
  const body = { instance: 'gone', integration: 'mfa', organization_code: 'ACME', credentials: mfaCredentials(mfa.simulator) }
  const { id: connection } = await request(admin, 'POST', '/platformapi/connections', body)
  const { id } = await create({ connection, enabled: true, since: 0 })
  await request(admin, 'DELETE', `/platformapi/connections/${connection}`)
  const path = `/platformapi/fetches/${id}`
  expect(await request(admin, 'PATCH', path, { revision: 1, enabled: false })).toMatchObject({ enabled: false, instance: null, integration: null })
  expect(await refused(request(admin, 'PATCH', path, { revision: 2, enabled: true }))).toMatchObject({
    code: 'fetch_invalid',
    errors: [{ field: 'connection' }],
  })
  await request(admin, 'DELETE', path)
  expect(await refused(request(admin, 'GET', path))).toMatchObject({ status: 404, code: 'fetch_unknown' })
})

test('a key of another organization finds nothing, and cannot use a connection that it does not see', async () => {
  await request(admin, 'POST', '/platformapi/organizations', { code: 'GLOBEX', name: 'Globex' })
  const { id } = await create()
  const stranger = await keyWith(['connections:read', 'connections:write', 'alerts:write'], ['GLOBEX'])
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { revision: 1, enabled: false }],
    ['POST', '/now', undefined],
    ['DELETE', '', undefined],
  ] as const)
    expect(await refused(request(stranger, method, `/platformapi/fetches/${id}${path}`, body))).toMatchObject({ code: 'fetch_unknown' })
  expect((await request(stranger, 'GET', '/platformapi/fetches'))['items']).toEqual([])
  expect(await refused(create({}, stranger))).toMatchObject({ code: 'organization_unknown' })
  expect(await refused(create({ organization_code: 'GLOBEX' }, stranger))).toMatchObject({ code: 'fetch_invalid', errors: [{ field: 'connection' }] })
  expect(await request(admin, 'GET', `/platformapi/fetches/${id}`)).toMatchObject({ revision: 1 })
})

test('a shared connection needs a key of all organizations, and creating alerts a scope of its own', async () => {
  const body = { instance: 'shared', integration: 'mfa', credentials: mfaCredentials(mfa.simulator) }
  const { id: connection } = await request(admin, 'POST', '/platformapi/connections', body)
  const one = await keyWith(['connections:write', 'alerts:write'], ['ACME'])
  expect(await refused(create({ connection }, one))).toMatchObject({ status: 403, code: 'organization_forbidden' })
  expect(await create({ connection })).toMatchObject({ instance: 'shared' })
  const narrow = await keyWith(['connections:write'])
  expect(await refused(create({}, narrow))).toMatchObject({ code: 'permission_missing', detail: expect.stringContaining('alerts:write') })
  const trial = refused(request(narrow, 'POST', '/platformapi/fetches/try', draft()))
  expect(await trial).toMatchObject({ code: 'permission_missing' })
})

test('a trial of a skill without a list says so', async () => {
  expect(await request(admin, 'POST', '/platformapi/fetches/try', draft())).toMatchObject({
    found: 0,
    alerts: [],
    failure: { code: 'fetch_answer_unfit', message: expect.stringContaining('its top') },
  })
})

test('an input may have 16,384 characters', async () => {
  const input = { username: 'x'.repeat(16_384) }
  expect(await refused(create({ input }))).toMatchObject({ code: 'fetch_invalid', errors: [{ field: 'input' }] })
})

test('an organization has at most 50', async () => {
  const { items } = await request(admin, 'GET', '/platformapi/fetches?limit=1000')
  for (let count = (items as Answer[]).length; count < 50; count += 1) await create()
  expect(await refused(create())).toMatchObject({ status: 409, code: 'fetches_exceeded' })
  const first = await request(admin, 'GET', '/platformapi/fetches?limit=30')
  const rest = await request(admin, 'GET', `/platformapi/fetches?limit=30&cursor=${String(first['next_cursor'])}`)
  expect((first['items'] as Answer[]).length + (rest['items'] as Answer[]).length).toBe(50)
  expect(rest['next_cursor']).toBeNull()
})
