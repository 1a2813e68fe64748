import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asId, type OrganizationId } from '../../../runtime/domain/index.ts'
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
