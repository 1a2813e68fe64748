import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asId, type OrganizationId, systemScope } from '../../../runtime/domain/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { newAct } from '../../conformance/storage/access/acts.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { addTenants } from '../../support/api/waiting-run.ts'

/* What the audit log shows. `acts.test.ts` tests that each operation writes to it. */

let api: ApiServer
let admin: ReturnType<typeof clientOf>

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(admin)
})
afterAll(() => api.close())

const texts = async (query: string): Promise<string[]> =>
  ((await admin('GET', `/platformapi/audit?${query}`)).body as { items: { text: string }[] }).items.map(({ text }) => text)

test('whoever asks about a key finds who created it and who revoked it, and nothing else', async () => {
  const { body } = await admin('POST', '/platformapi/keys', { name: 'Source', organizations: ['ACME'] })
  api.clock.advance(1_000)
  await admin('DELETE', `/platformapi/keys/${body.id}`)
  const about = `about=${body.id}`
  expect(await texts(about)).toEqual(['an API key was revoked', 'an API key was created'])
  expect(await texts(`${about}&action=createKey`)).toEqual(['an API key was created'])
  expect(await texts(`${about}&created_from=${api.clock.now()}`)).toEqual(['an API key was revoked'])
  expect(await texts(`${about}&created_to=${api.clock.now()}`)).toEqual(['an API key was created'])
  const first = (await admin('GET', `/platformapi/audit?${about}&limit=1`)).body
  const second = (await admin('GET', `/platformapi/audit?${about}&limit=1&cursor=${encodeURIComponent(first.next_cursor)}`)).body
  expect([...first.items, ...second.items].map(({ action }) => action)).toEqual(['revokeKey', 'createKey'])
  expect(second.next_cursor).toBeNull()
  const { by_uuid: me } = first.items[0]
  expect(await texts(`${about}&by=${me}`)).toHaveLength(2)
  expect(await texts(`${about}&by=test`)).toHaveLength(2)
  expect(await texts(`${about}&by=${body.id}`)).toEqual([])
  expect(await admin('GET', `/platformapi/audit?action=pause&cursor=${encodeURIComponent(first.next_cursor)}`)).toMatchObject({
    status: 400,
    body: { code: 'cursor_invalid' },
  })
})

test('it needs audit:read, for all organizations', async () => {
  const [acme] = await api.store.organizations.byCode(systemScope, ['ACME'])
  const other = clientOf(api.app, await api.addKey(['keys:read']))
  expect(await other('GET', '/platformapi/audit')).toMatchObject({ status: 403, body: { code: 'permission_missing' } })
  const limited = clientOf(api.app, await api.addKey(['audit:read'], [acme?.id ?? asId<OrganizationId>('')]))
  expect(await limited('GET', '/platformapi/audit')).toMatchObject({ status: 403, body: { code: 'organization_forbidden' } })
  const reader = clientOf(api.app, await api.addKey(['audit:read']))
  expect(await reader('GET', '/platformapi/audit')).toMatchObject({ status: 200 })
})

test('an answer leaves when its act is stored', async () => {
  let store = (): void => {}
  const storing = new Promise<void>((resolve) => {
    store = resolve
  })
  const add = vi.spyOn(api.store.acts, 'add').mockReturnValueOnce(storing)
  let answered = false
  const answer = admin('POST', '/platformapi/pauses', { organization: 'OTHER' }).finally(() => {
    answered = true
  })
  await vi.waitFor(() => expect(add).toHaveBeenCalled())
  await new Promise(setImmediate)
  expect(answered).toBe(false)
  store()
  expect(await answer).toMatchObject({ status: 200 })
  add.mockRestore()
})

test('if the store does not take an act, its change stands, and the act is in the audit log as soon as the store takes it', async () => {
  const away = new TocsinError('store_unavailable', 'MongoDB does not answer.')
  const add = vi.spyOn(api.store.acts, 'add').mockRejectedValueOnce(away)
  expect(await admin('POST', '/platformapi/providers', { code: 'LATE', name: 'Late' })).toMatchObject({ status: 201 })
  expect(await texts('about=LATE')).toEqual([])
  api.clock.advance(2_000)
  await vi.waitFor(() => expect(add).toHaveBeenCalledTimes(2))
  expect(await texts('about=LATE')).toHaveLength(1)
  add.mockRestore()
})

test('if the store cannot take an act at all, its change stands, and the log says what the audit log lacks', async () => {
  const add = vi.spyOn(api.store.acts, 'add').mockRejectedValueOnce(new Error('no'))
  expect(await admin('POST', '/platformapi/providers', { code: 'LOST', name: 'Lost' })).toMatchObject({ status: 201 })
  expect(api.log.at(-1)).toContain('the audit log lacks an act')
  expect(api.log.at(-1)).toContain('createProvider')
  add.mockRestore()
})

test('long texts and lists of a request make no large entry', async () => {
  const reason = 'x'.repeat(2_000)
  const { body } = await admin('POST', '/platformapi/pauses', { organization: 'ACME', reason })
  const [entry] = (await admin('GET', `/platformapi/audit?about=${body.id}`)).body.items
  expect(entry.on.reason).toMatch(/^x{400,500}…?$/)
})

test('an act with odd details is shown as it is', async () => {
  const act = newAct({ on: { '': [null, true, { a: 1 }], $where: 'x' } })
  await api.store.acts.add(systemScope, act)
  const { items } = (await admin('GET', `/platformapi/audit?by=${act.principal}`)).body
  expect(items).toEqual([expect.objectContaining({ id: act.id, on: act.on })])
})
