import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { asId, type OrganizationId } from '../../../runtime/domain/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

/* `GET /metrics` over the API, and what the API counts. */

let api: ApiServer
const counted: { readonly method: string; readonly route: string | null; readonly status: number; readonly lasted: number }[] = []
const told = { type: 'text/plain; version=0.0.4; charset=utf-8', text: '# HELP x y\nx 1\n' }

beforeAll(async () => {
  api = await startApi({ metrics: { answered: (request) => void counted.push(request), read: async () => told } })
})
afterAll(() => api.close())
beforeEach(() => {
  counted.length = 0
})

const read = async (key: string | null, header: 'authorization' | 'cookie' = 'authorization') => {
  const headers = key === null ? {} : { [header]: header === 'cookie' ? `Session=${key}` : `Bearer ${key}` }
  return api.app.inject({ url: '/metrics', headers })
}

test('a key with metrics:read reads the text, as a bearer token and as a cookie', async () => {
  const key = await api.addKey(['metrics:read'])
  for (const header of ['authorization', 'cookie'] as const) {
    const { statusCode, headers, body } = await read(key, header)
    expect({ statusCode, type: headers['content-type'], body }).toEqual({ statusCode: 200, type: told.type, body: told.text })
  }
})

test('nobody else reads it: without a key, with another scope, or with a key of some organizations', async () => {
  const codeOf = async (key: string | null): Promise<unknown> => {
    const { statusCode, body } = await read(key)
    return [statusCode, JSON.parse(body).code]
  }
  expect(await codeOf(null)).toEqual([401, 'key_missing'])
  expect(await codeOf(await api.addKey(['runs:read']))).toEqual([403, 'permission_missing'])
  expect(await codeOf(await api.addKey(['metrics:read'], [asId<OrganizationId>('acme')]))).toEqual([403, 'organization_forbidden'])
})

test('an answered request is counted by its route, without the values in its path', async () => {
  await api.app.inject({ url: '/platformapi/cases/ACME-17?x=1', headers: { cookie: `Session=${api.admin}` } })
  await api.app.inject({ method: 'POST', url: '/no/such/place' })
  expect(counted.map(({ method, route, status }) => ({ method, route, status }))).toEqual([
    { method: 'GET', route: '/platformapi/cases/:id', status: 400 },
    { method: 'POST', route: null, status: 404 },
  ])
  expect(counted.every(({ lasted }) => lasted >= 0)).toBe(true)
})

describe('while the store does not find keys', () => {
  afterEach(() => vi.restoreAllMocks())
  const codesOf = async (key: string): Promise<unknown> => {
    const other = await api.app.inject({ url: '/platformapi/alerts', headers: { authorization: `Bearer ${key}` } })
    return [(await read(key)).statusCode, other.statusCode]
  }
  const storeThat = (finds: () => Promise<never>): void => {
    // The cached result of a key is too old now.
    api.clock.advance(2_000)
    vi.spyOn(api.store.principals, 'keyByHash').mockImplementation(finds)
  }
  const fails = () => Promise.reject(new TocsinError('store_unavailable', 'It is away.'))

  test('a key that worked within the last hour reads the metrics, and nothing else', async () => {
    const key = await api.addKey(['admin'])
    expect(await codesOf(key)).toEqual([200, 200])
    storeThat(fails)
    expect(await codesOf(key)).toEqual([200, 503])
    expect((await read(await api.addKey(['admin']))).statusCode).toBe(503)
    api.clock.advance(3_600_000)
    expect(await codesOf(key)).toEqual([503, 503])
  })

  test('it does so after two seconds if the store is silent', async () => {
    const key = await api.addKey(['metrics:read'])
    expect((await read(key)).statusCode).toBe(200)
    let asked = () => {}
    const asks = new Promise<void>((resolve) => {
      asked = resolve
    })
    storeThat(() => {
      asked()
      return new Promise<never>(() => {})
    })
    const silent = read(key)
    await asks
    api.clock.advance(2_000)
    expect((await silent).statusCode).toBe(200)
  })

  test('its permissions count as before, and a key that is revoked here no longer works', async () => {
    const weak = await api.addKey(['runs:read'])
    const { id, key } = await newKey()
    expect([(await read(weak)).statusCode, (await read(key)).statusCode]).toEqual([403, 200])
    storeThat(fails)
    expect([(await read(weak)).statusCode, (await read(key)).statusCode]).toEqual([403, 200])
    vi.restoreAllMocks()
    const headers = { authorization: `Bearer ${api.admin}` }
    expect((await api.app.inject({ method: 'DELETE', url: `/platformapi/keys/${id}`, headers })).statusCode).toBe(204)
    storeThat(fails)
    expect((await read(key)).statusCode).toBe(503)
  })

  const newKey = async (): Promise<{ readonly id: string; readonly key: string }> => {
    const headers = { authorization: `Bearer ${api.admin}` }
    const payload = { name: 'Prometheus', scopes: ['metrics:read'] }
    return (await api.app.inject({ method: 'POST', url: '/platformapi/keys', headers, payload })).json()
  }
})
