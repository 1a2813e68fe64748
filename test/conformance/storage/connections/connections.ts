import { describe, expect, test } from 'vitest'
import type { Connection, ConnectionId, ConnectionTest, OrganizationId, PrincipalId } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

export function newConnection(organization: OrganizationId | null, parts: Partial<Connection> = {}): Connection {
  return {
    id: uuid<ConnectionId>(),
    organization,
    instance: `prod ${uuid().slice(-6)}`,
    integration: 'mailsec',
    description: '',
    fields: { 'base.url': 'https://mail.example', $port: 443, tls: true },
    secrets: { token: { v: 1, key: 'k1', data: 'AAAA' } },
    isDefault: false,
    expiresAt: null,
    slots: ['phishing-reported.mail'],
    remoteAgent: null,
    role: null,
    lastTest: null,
    revision: 1,
    createdAt: noon,
    createdBy: uuid<PrincipalId>(),
    modifiedAt: noon,
    ...parts,
  }
}

export const testResult: ConnectionTest = {
  ok: false,
  status: 401,
  code: 'credentials_rejected',
  cause: 'wrong',
  remedy: 'mend',
  checkedAt: noon + 5,
  reachable: true,
  reachableNote: null,
  role: 'operator',
}

export function connectionCases(at: At): void {
  async function created(connection: Connection): Promise<Connection> {
    expect(await at().store.connections.create(everyone, connection)).toBe('created')
    return connection
  }

  test('a connection is found by id, as it was created', async () => {
    const { store } = at()
    const connection = await created(newConnection(newTenant().id, { expiresAt: noon + 1 }))
    expect(await store.connections.byId(everyone, [connection.id, uuid<ConnectionId>()])).toEqual([connection])
    await at().reopen()
    expect(await at().store.connections.byId(everyone, [connection.id])).toEqual([connection])
  })

  test('an instance name exists once in an organization, and once among the shared connections', async () => {
    const { store } = at()
    for (const organization of [newTenant().id, null]) {
      const { instance } = await created(newConnection(organization))
      expect(await store.connections.create(everyone, newConnection(organization, { instance }))).toBe('exists')
      await created(newConnection(newTenant().id, { instance }))
    }
  })

  test('an integration has one default in an organization, and one among the shared connections', async () => {
    const { store } = at()
    for (const organization of [newTenant().id, null]) {
      const integration = `mail-${uuid()}`
      const first = await created(newConnection(organization, { integration, isDefault: true }))
      expect(await store.connections.create(everyone, newConnection(organization, { integration, isDefault: true }))).toBe('default_exists')
      await created(newConnection(newTenant().id, { integration, isDefault: true }))
      await created(newConnection(organization, { integration: `mail-${uuid()}`, isDefault: true }))
      const second = await created(newConnection(organization, { integration }))
      expect(await store.connections.revise(everyone, { ...second, isDefault: true, revision: 2 })).toBe('default_exists')
      expect(await store.connections.byId(everyone, [second.id])).toEqual([second])
      expect(await store.connections.revise(everyone, { ...first, description: 'still', revision: 2 })).toBe('revised')
      expect(await store.connections.revise(everyone, { ...first, isDefault: false, revision: 3 })).toBe('revised')
      expect(await store.connections.revise(everyone, { ...second, isDefault: true, revision: 2 })).toBe('revised')
    }
  })

  test('an organization sees its own connections and the shared ones', async () => {
    const { store } = at()
    const [tenant, other] = [newTenant(), newTenant()]
    const [own, shared, foreign] = [newConnection(tenant.id), newConnection(null), newConnection(other.id)]
    for (const connection of [own, shared, foreign]) await created(connection)
    const ids = (await store.connections.forOrganization(everyone, tenant.id)).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([own.id, shared.id]))
    expect(ids).not.toContain(foreign.id)
  })

  test('all are listed by id, page by page', async () => {
    const { store } = at()
    const tenant = newTenant()
    const mine = numbersTo(5)
      .map(() => newConnection(tenant.id))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    for (const connection of mine) await created(connection)
    const first = await store.connections.list(tenant.scope, { after: mine[0]!.id, limit: 2 })
    expect(first).toEqual({ items: [mine[1], mine[2]], more: true })
    expect(await store.connections.list(tenant.scope, { after: mine[2]!.id, limit: 2 })).toEqual({ items: [mine[3], mine[4]], more: false })
  })

  test('a list by organization has only its own connections; a list by integration has only that integration', async () => {
    const { store } = at()
    const [tenant, other] = [newTenant(), newTenant()]
    const integration = `mail-${uuid()}`
    const mine = await created(newConnection(tenant.id, { integration }))
    const another = await created(newConnection(tenant.id))
    const shared = await created(newConnection(null, { integration }))
    const foreign = await created(newConnection(other.id, { integration }))
    const ids = async (scope: typeof everyone, query: { organizations?: OrganizationId[]; integrations?: string[] }) =>
      (await store.connections.list(scope, { ...query, after: null, limit: 500 })).items.map(({ id }) => id).sort()
    expect(await ids(everyone, { organizations: [tenant.id] })).toEqual([mine.id, another.id].sort())
    expect(await ids(everyone, { integrations: [integration] })).toEqual([mine.id, shared.id, foreign.id].sort())
    expect(await ids(everyone, { organizations: [tenant.id, other.id], integrations: [integration] })).toEqual([mine.id, foreign.id].sort())
    expect(await ids(tenant.scope, { integrations: [integration] })).toEqual([mine.id, shared.id].sort())
    expect(await ids(tenant.scope, { organizations: [other.id] })).toEqual([])
  })

  test('a test result is stored on the revision that was tested, and the revision does not change', async () => {
    const { store } = at()
    const first = await created(newConnection(newTenant().id))
    expect(await store.connections.noteTest(everyone, first, testResult)).toBe(true)
    expect(await store.connections.byId(everyone, [first.id])).toEqual([{ ...first, lastTest: testResult }])
    const second = { ...first, revision: 2 }
    expect(await store.connections.revise(everyone, second)).toBe('revised')
    expect(await store.connections.noteTest(everyone, first, testResult)).toBe(false)
    expect(await store.connections.noteTest(everyone, newConnection(first.organization), testResult)).toBe(false)
    expect(await store.connections.byId(everyone, [first.id])).toEqual([second])
  })

  test('secrets that were re-encrypted are stored on their revision, and nothing else changes', async () => {
    const { store } = at()
    const first = await created(newConnection(newTenant().id))
    await store.connections.noteTest(everyone, first, testResult)
    const secrets = { token: { v: 1, key: 'another', data: 'anew' } } as const
    expect(await store.connections.reseal(everyone, { ...first, secrets })).toBe(true)
    expect(await store.connections.byId(everyone, [first.id])).toEqual([{ ...first, secrets, lastTest: testResult }])
    const second = { ...first, revision: 2 }
    expect(await store.connections.revise(everyone, second)).toBe('revised')
    expect(await store.connections.reseal(everyone, { ...first, secrets })).toBe(false)
    expect(await store.connections.reseal(everyone, newConnection(first.organization))).toBe(false)
    expect(await store.connections.byId(everyone, [first.id])).toEqual([second])
  })

  describe('revise', () => {
    test('replaces only the previous revision', async () => {
      const { store } = at()
      const first = await created(newConnection(newTenant().id))
      const second = { ...first, fields: { region: 'eu' }, secrets: {}, isDefault: true, revision: 2, modifiedAt: noon + 1 }
      expect(await store.connections.revise(everyone, second)).toBe('revised')
      expect(await store.connections.byId(everyone, [first.id])).toEqual([second])
      expect(await store.connections.revise(everyone, { ...second, description: 'late' })).toBe('changed')
      expect(await store.connections.revise(everyone, { ...second, revision: 4 })).toBe('changed')
      expect(await store.connections.byId(everyone, [first.id])).toEqual([second])
      expect(await store.connections.revise(everyone, newConnection(first.organization, { revision: 2 }))).toBe('changed')
    })

    test('succeeds once if several callers try at once', async () => {
      const { store } = at()
      const other = (await at().second()) ?? store
      const first = await created(newConnection(newTenant().id))
      const results = await Promise.all(
        numbersTo(6).map((n) => (n % 2 ? store : other).connections.revise(everyone, { ...first, revision: 2, description: `by ${n}` })),
      )
      expect(results.filter((result) => result === 'revised')).toHaveLength(1)
      const [standing] = await store.connections.byId(everyone, [first.id])
      expect(standing?.description).toBe(`by ${results.indexOf('revised') + 1}`)
    })

    test('to an instance name that is taken changes nothing', async () => {
      const { store } = at()
      const tenant = newTenant()
      const [a, b] = [await created(newConnection(tenant.id)), await created(newConnection(tenant.id))]
      expect(await store.connections.revise(everyone, { ...a, instance: b.instance, revision: 2 })).toBe('exists')
      expect(await store.connections.byId(everyone, [a.id])).toEqual([a])
    })
  })

  test('a removed connection is gone, and its name is free', async () => {
    const { store } = at()
    const connection = await created(newConnection(newTenant().id))
    expect(await store.connections.remove(everyone, connection.id)).toBe(true)
    expect(await store.connections.remove(everyone, connection.id)).toBe(false)
    expect(await store.connections.byId(everyone, [connection.id])).toEqual([])
    await created(newConnection(connection.organization, { instance: connection.instance }))
  })
}
