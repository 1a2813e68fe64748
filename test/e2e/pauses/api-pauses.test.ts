import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type AlertUuid,
  asId,
  type Connection,
  type ConnectionId,
  type Digest,
  type OrganizationId,
  organizationScope,
  type PauseId,
  systemScope,
} from '../../../runtime/domain/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { acme, addTenants, globex } from '../../support/stores/tenants.ts'

let api: ApiServer
/** How often what a pause held was to be handed over. */
let resumes: number
let admin: ReturnType<typeof clientOf>
const path = '/platformapi/pauses'
const own = '01900000-0000-7000-8000-000000000001'
const shared = '01900000-0000-7000-8000-000000000002'

beforeEach(async () => {
  resumes = 0
  api = await startApi({ resumed: () => void resumes++ })
  admin = clientOf(api.app, api.admin)
  await addTenants(api.store)
  for (const [id, organization] of [
    [own, acme],
    [shared, null],
  ] as const)
    await api.store.connections.create(systemScope, {
      id: asId<ConnectionId>(id),
      organization,
      instance: 'idp',
      integration: 'mfa',
      secrets: {},
      revision: 1,
    } as Partial<Connection> as Connection)
  await activate('contain-host', null)
  await activate('acme-only', acme)
})
afterEach(() => api.close())

async function activate(name: string, organization: OrganizationId | null): Promise<void> {
  const digest = asId<Digest>(`sha256:${name}`)
  await api.store.artifacts.put(systemScope, [{ digest, kind: 'playbook', name, text: '', organization, createdAt: 1 }])
  const place = { kind: 'playbook', organization, key: `type of ${name}`, digest, name } as const
  const rest = { source: 'edited', folderDigest: null, revision: 1, activatedAt: 1, activatedBy: null, withdrawn: false } as const
  await api.store.artifacts.activate(systemScope, { ...place, ...rest })
}

test('everything is paused once, shown, and resumed, with a record of who did it and why', async () => {
  const first = await admin('POST', path, { reason: 'vendor outage' })
  expect(first).toMatchObject({ status: 200 })
  expect(first.body).toEqual({
    id: expect.any(String),
    kind: 'everything',
    what: 'everything',
    organization_code: null,
    playbook: null,
    connection_id: null,
    instance: null,
    state: 'standing',
    paused_at: api.clock.now(),
    paused_by: 'test',
    paused_by_uuid: expect.any(String),
    reason: 'vendor outage',
    resumed_at: null,
    resumed_by: null,
    resumed_by_uuid: null,
    resumed_reason: null,
  })
  const { id } = first.body
  expect((await admin('POST', path, { reason: 'me too' })).body).toEqual(first.body)
  expect((await admin('GET', `${path}?state=standing`)).body.items).toEqual([first.body])
  api.clock.advance(5_000)
  const over = await admin('DELETE', `${path}/${id}?reason=mended`)
  expect(over.body).toEqual({
    ...first.body,
    state: 'resumed',
    resumed_at: api.clock.now(),
    resumed_by: 'test',
    resumed_by_uuid: expect.any(String),
    resumed_reason: 'mended',
  })
  api.clock.advance(5_000)
  expect((await admin('DELETE', `${path}/${id}`)).body).toEqual(over.body)
  expect(resumes).toBe(1)
  expect((await admin('GET', `${path}/${id}`)).body).toEqual(over.body)
  expect((await admin('GET', `${path}?state=standing`)).body.items).toEqual([])
  expect((await admin('GET', path)).body.items).toEqual([over.body])
  const lines = api.log.filter((line) => /paused: everything|resumed: everything/.test(line))
  expect(lines).toHaveLength(2)
})

test.each([
  [{ organization: 'ACME' }, { kind: 'organization', what: 'the organization ACME', organization_code: 'ACME' }],
  [{ playbook: 'contain-host' }, { kind: 'playbook', what: 'the playbook contain-host', organization_code: null, playbook: 'contain-host' }],
  [
    { playbook: 'acme-only', organization: 'ACME' },
    { kind: 'playbook', what: 'the playbook acme-only of ACME', organization_code: 'ACME' },
  ],
  [{ connection: own }, { kind: 'connection', what: 'the connection idp of ACME', connection_id: own, instance: 'idp', organization_code: 'ACME' }],
  [{ connection: shared }, { kind: 'connection', what: 'the connection idp', connection_id: shared, organization_code: null }],
])('a pause of %o is separate from a pause of everything', async (named, shown) => {
  const { body } = await admin('POST', path, named)
  expect(body).toMatchObject({ ...shown, state: 'standing', reason: null })
  expect((await admin('POST', path, {})).body.kind).toBe('everything')
  expect((await admin('GET', `${path}?state=standing&limit=1`)).body).toMatchObject({ items: [{ kind: 'everything' }] })
})

test.each([
  [{ organization: 'NOBODY' }, 'organization_unknown'],
  [{ playbook: 'contain-hots' }, 'playbook_unknown'],
  [{ connection: '01900000-0000-7000-8000-00000000ffff' }, 'connection_unknown'],
  [{ connection: own, playbook: 'contain-host' }, 'body_invalid'],
  [{ connection: own, organization: 'ACME' }, 'body_invalid'],
  [{ connection: 'idp' }, 'connection_unknown'],
  [{ everything: true }, 'field_unknown'],
])('%o is refused, and nothing is paused', async (named, code) => {
  expect((await admin('POST', path, named)).body).toMatchObject({ code })
  expect((await admin('GET', path)).body.items).toEqual([])
})

test('a key of one organization pauses and resumes only what belongs to it, and sees only the pauses that affect it', async () => {
  const write = ['pauses:read', 'pauses:write'] as const
  const inAcme = clientOf(api.app, await api.addKey(write, [acme]))
  const inGlobex = clientOf(api.app, await api.addKey(write, [globex]))
  for (const named of [{}, { playbook: 'contain-host' }, { connection: shared }])
    expect((await inAcme('POST', path, named)).body).toMatchObject({ code: 'organization_forbidden' })
  expect((await inAcme('POST', path, { organization: 'GLOBEX' })).body).toMatchObject({ code: 'organization_unknown' })
  expect((await inGlobex('POST', path, { connection: own })).body).toMatchObject({ code: 'connection_unknown' })
  expect((await inGlobex('POST', path, { organization: 'GLOBEX', playbook: 'acme-only' })).body).toMatchObject({ code: 'playbook_unknown' })
  const mine = [
    await inAcme('POST', path, { organization: 'ACME' }),
    await inAcme('POST', path, { organization: 'ACME', playbook: 'contain-host' }),
    await inAcme('POST', path, { connection: own }),
  ].map(({ body }) => body.id)
  const all = (await admin('POST', path, {})).body.id

  expect((await inGlobex('GET', path)).body.items).toMatchObject([{ id: all }])
  expect((await inGlobex('GET', `${path}/${mine[0]}`)).body).toMatchObject({ code: 'pause_unknown' })
  expect((await inGlobex('DELETE', `${path}/${mine[0]}`)).body).toMatchObject({ code: 'pause_unknown' })
  expect((await inAcme('DELETE', `${path}/${all}`)).body).toMatchObject({ code: 'organization_forbidden' })
  expect((await inAcme('GET', path)).body.items.map((each: { id: string }) => each.id).sort()).toEqual([...mine, all].sort())
  for (const id of mine) expect((await inAcme('DELETE', `${path}/${id}`)).body).toMatchObject({ state: 'resumed' })
  expect(await api.store.pauses.standing(organizationScope(acme))).toMatchObject([{ id: all }])
})

test('an alert without a run shows the pauses of its organization, and the pause that a worker found', async () => {
  await admin('POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
  const body = { alert_content: 'x', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 't' }
  const { alert_uuid: uuid } = (await admin('POST', '/platformapi/alerts', body)).body
  const untyped = (await admin('POST', '/platformapi/alerts', { ...body, alert_type: undefined })).body.alert_uuid
  const holding = async (id = uuid): Promise<unknown> => (await admin('GET', `/platformapi/alerts/${id}`)).body.pauses
  const organization = (await admin('POST', path, { organization: 'ACME', reason: 'night' })).body
  await admin('POST', path, { organization: 'GLOBEX' })
  const playbook = (await admin('POST', path, { playbook: 'contain-host' })).body
  expect(await holding()).toEqual([organization])
  expect(await holding(untyped)).toEqual([])
  await api.store.alerts.hold(systemScope, asId<AlertUuid>(uuid), asId<PauseId>(playbook.id))
  expect(await holding()).toEqual(expect.arrayContaining([organization, playbook]))
  await admin('DELETE', `${path}/${organization.id}`)
  expect(await holding()).toEqual([playbook])
  await admin('DELETE', `${path}/${playbook.id}`)
  expect(await holding()).toEqual([])
})

test('reading needs pauses:read, and writing needs pauses:write', async () => {
  const reader = clientOf(api.app, await api.addKey(['pauses:read']))
  const writer = clientOf(api.app, await api.addKey(['pauses:write']))
  expect((await reader('POST', path, {})).status).toBe(403)
  const { id } = (await writer('POST', path, {})).body
  expect((await writer('GET', path)).status).toBe(403)
  expect((await reader('GET', path)).body.items).toMatchObject([{ id }])
  expect((await reader('DELETE', `${path}/${id}`)).status).toBe(403)
})

test('the list is paged', async () => {
  const ids: string[] = []
  for (const named of [{ organization: 'ACME' }, { organization: 'GLOBEX' }, {}]) {
    ids.unshift((await admin('POST', path, named)).body.id)
    api.clock.advance(1)
  }
  const seen: string[] = []
  let next = ''
  do {
    const { body } = await admin('GET', `${path}?limit=2${next}`)
    seen.push(...body.items.map((each: { id: string }) => each.id))
    next = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
  } while (next !== '')
  expect(seen).toEqual(ids)
  expect((await admin('GET', `${path}?cursor=x`)).body).toMatchObject({ code: 'cursor_invalid' })
})
