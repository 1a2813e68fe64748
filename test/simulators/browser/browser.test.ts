import { Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePki } from '../pki.ts'
import { idOf, startBrowserSimulator } from './index.ts'
import type { BrowserSimulator } from './simulator.ts'

const pki = makePki()
const key = 'correct-key'
const agent = new Agent({ connect: { ca: pki.ca } })
let simulator: BrowserSimulator
let time = 0

beforeAll(async () => {
  simulator = await startBrowserSimulator({ pki, key, accounts: 12, now: () => time, strict: true })
})
beforeEach(() => {
  time += 60_000
  simulator.faults.clear()
  simulator.setLevel('full_access')
})
afterAll(async () => {
  await agent.close()
  await simulator.close()
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly json: any
}

async function call(path: string, init: { method?: string; key?: string | null; body?: unknown } = {}): Promise<Answer> {
  const given = init.key === undefined ? key : init.key
  const response = await request(simulator.url + path, {
    dispatcher: agent,
    method: (init.method ?? 'GET') as 'GET',
    headers: { ...(given !== null && { 'x-api-key': given }), ...(init.body !== undefined && { 'content-type': 'application/json' }) },
    body: init.body === undefined ? null : JSON.stringify(init.body),
  })
  const text = await response.body.text()
  return { status: response.statusCode, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
}

test('a listing has `result` and `paging`, and its tokens lead through all pages once', async () => {
  const seen: string[] = []
  let token: string | null = null
  do {
    const page: Answer = await call(`/api/v1/accounts?limit=5${token === null ? '' : `&nextToken=${token}`}`)
    expect(page.status).toBe(200)
    seen.push(...page.json.result.map(({ id }: { id: string }) => id))
    token = page.json.paging.nextToken
    expect(page.json.paging.moreResults).toBe(token !== null)
  } while (token !== null)
  expect(seen).toEqual(Array.from({ length: 12 }, (_, at) => idOf('a', at + 1)))
})

test('an offset leads to the same pages', async () => {
  expect((await call('/api/v1/accounts?limit=5&offset=10')).json).toMatchObject({
    result: [{ id: idOf('a', 11) }, { id: idOf('a', 12) }],
    paging: { moreResults: false, nextToken: null },
  })
})

test.each([
  ['/api/v1/accounts?mail=a', 'mail'],
  ['/api/v1/accounts?limit=0', 'limit'],
  ['/api/v1/accounts?limit=201', 'limit'],
  ['/api/v1/accounts?offset=-1', 'offset'],
  ['/api/v1/accounts?offset=1&nextToken=a', 'conjunction'],
  ['/api/v1/accounts?nextToken=a', 'nextToken'],
  ['/api/v1/accounts?email=', 'empty'],
  ['/api/v1/accounts?email=a&email=b', 'twice'],
  ['/api/v1/accounts?lastUsedTimestampAfter=2026-09-01T00:00:00Z', 'seconds'],
  ['/api/v1/accounts?lastUsedTimestampAfter=1788220800000', 'seconds'],
  ['/api/v1/detections?severity=high', 'severity must be one of'],
  ['/api/v1/employees?email=a', 'email'],
  [`/api/v1/apps/${idOf('b', 1)}?limit=1`, 'no query'],
])('a wrong query is refused: %s', async (path, message) => {
  const { status, json } = await call(path)
  expect(status).toBe(400)
  expect(json.message).toContain(message)
})

test('refuses a token of another listing', async () => {
  const { json } = await call('/api/v1/accounts?email=ada&limit=1')
  expect((await call(`/api/v1/accounts?email=grace&limit=1&nextToken=${json.paging.nextToken}`)).status).toBe(400)
})

test('checks the key: missing or wrong', async () => {
  expect((await call('/api/v1/accounts', { key: 'wrong' })).status).toBe(401)
  expect((await call('/api/v1/accounts', { key: null })).status).toBe(401)
})

test.each([
  ['GET', '/v1/accounts'],
  ['GET', '/accounts'],
  ['GET', '/api/v1/account'],
  ['GET', '/api/v1/accounts/a/b'],
  ['POST', '/api/v1/accounts'],
  ['DELETE', `/api/v1/apps/${idOf('b', 1)}`],
  ['PATCH', `/api/v1/accounts/${idOf('a', 1)}`],
])('the gateway answers unknown paths and methods with a missing token: %s %s', async (method, path) => {
  const { status, json } = await call(path, { method })
  expect([status, json.message]).toEqual([403, 'Missing Authentication Token'])
})

test('the API can have another path', async () => {
  const other = await startBrowserSimulator({ pki, key, apiPath: '/v1' })
  const response = await request(`${other.url}/v1/accounts?limit=1`, { dispatcher: agent, headers: { 'x-api-key': key } })
  expect(response.statusCode).toBe(200)
  await response.body.dump()
  await other.close()
})

test('unless strict, accepts what public clients send beyond the documentation', async () => {
  const other = await startBrowserSimulator({ pki, key, accounts: 12 })
  const response = await request(`${other.url}/api/v1/accounts?limit=1&cursor=&email=&sort=x`, { dispatcher: agent, headers: { 'x-api-key': key } })
  expect(await response.body.json()).toMatchObject({ result: [{ id: expect.any(String) }], paging: { moreResults: true } })
  await other.close()
})

test('a read-only key cannot write', async () => {
  simulator.setLevel('read_only')
  const path = `/api/v1/apps/${idOf('b', 1)}`
  expect((await call(path)).status).toBe(200)
  expect((await call(path, { method: 'PATCH', body: { notes: 'x' } })).json).toEqual({ message: 'Forbidden' })
  expect((await call(`/api/v1/accounts/${idOf('a', 1)}`, { method: 'DELETE' })).status).toBe(403)
  expect(simulator.writesOf(idOf('b', 1)) + simulator.writesOf(idOf('a', 1))).toBe(0)
})

test('an update sets the fields that it names; a wrong update changes nothing', async () => {
  const path = `/api/v1/apps/${idOf('b', 1)}`
  const before = simulator.find('apps', idOf('b', 1))
  for (const body of [{}, { approved: true }, { approvalStatus: 'approved' }, { ownerId: 'nobody' }, []])
    expect((await call(path, { method: 'PATCH', body })).status).toBe(400)
  expect(simulator.find('apps', idOf('b', 1))).toBe(before)
  expect((await call(path, { method: 'PATCH', body: { approvalStatus: null, notes: 'n' } })).json).toEqual({
    ...before,
    approvalStatus: null,
    notes: 'n',
  })
  expect((await call(path)).json.notes).toBe('n')
  expect(simulator.writesOf(idOf('b', 1))).toBe(1)
})

test('allows twenty requests at once, then ten a second', async () => {
  const several = async (count: number): Promise<number[]> => {
    const statuses: number[] = []
    for (let number = 0; number < count; number += 1) statuses.push((await call('/api/v1/apps')).status)
    return statuses
  }
  expect(await several(21)).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  time += 500
  expect(await several(6)).toEqual([200, 200, 200, 200, 200, 429])
})

test('failure switches: an answer instead of the effect, and a cut after the effect', async () => {
  simulator.fail({ failure: 'rate_limited', retryAfter: 7 })
  const limited = await call('/api/v1/apps')
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '7'])
  simulator.fail({ failure: 'cut_after_effect', method: 'PATCH' })
  await expect(call(`/api/v1/apps/${idOf('b', 3)}`, { method: 'PATCH', body: { notes: 'cut' } })).rejects.toThrow()
  expect(simulator.find('apps', idOf('b', 3))?.notes).toBe('cut')
})

test('the switches and counters have an HTTPS interface', async () => {
  await call('/_simulator/failures', { method: 'POST', body: { failure: 'server_error' } })
  expect((await call('/api/v1/apps')).status).toBe(500)
  expect((await call('/_simulator/counts')).json.requests).toBe(simulator.counts.requests - 1)
})
