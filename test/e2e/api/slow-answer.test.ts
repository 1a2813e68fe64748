import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { TocsinError } from '../../../runtime/errors/index.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let server: ApiServer
afterEach(() => server.close())

const path = '/platformapi/connections/0197a000-0000-7000-8000-000000000001/skills/crm.execute_crm_query'
const minutes = 60_000

/** Runs a skill over HTTP. It ends when the test calls `resolve` or `reject`. */
async function running(impact: 'read' | 'write' = 'read') {
  const { promise, resolve, reject } = Promise.withResolvers<CallResult>()
  let began = (): void => {}
  const beginning = new Promise<void>((go) => {
    began = go
  })
  server = await startApi({
    manualCalls: {
      test: async () => null,
      preview: async () => null,
      run: (_principal, { begins }) => {
        begins({ skill: 'crm.execute_crm_query', impact, instance: 'crm', organizationCode: null, targets: [] })
        began()
        return promise
      },
    },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const answer = fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { cookie: `Session=${server.admin}`, 'content-type': 'application/json' },
    body: '{"input":{}}',
  })
  await beginning
  return { answer, resolve, reject }
}

test('a slow answer begins before its result is known, and is the same JSON', async () => {
  const { answer, resolve } = await running()
  server.clock.advance(20_000)
  const response = await answer
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  for (let minute = 0; minute < 10; minute += 1) server.clock.advance(minutes)
  resolve({ ok: true, output: { rows: 3 } })
  const text = await response.text()
  expect(text.length - text.trimStart().length).toBeGreaterThan(10)
  expect(JSON.parse(text)).toEqual({ ok: true, output: { rows: 3 } })
})

test('the answer of a write begins before anything is sent, so that no browser sends the request again', async () => {
  const { answer, resolve } = await running('write')
  const response = await answer
  expect(response.status).toBe(200)
  resolve({ ok: true, output: { done: true } })
  expect(await response.json()).toEqual({ ok: true, output: { done: true } })
})

test('a failure after the answer has begun is reported in its body', async () => {
  const { answer, reject } = await running()
  server.clock.advance(20_000)
  const response = await answer
  reject(new TocsinError('store_unavailable', 'The store is gone.'))
  expect(await response.json()).toMatchObject({ ok: false, effect: 'unknown', code: 'store_unavailable', message: 'The store is gone.' })
})

test('a failure before the answer has begun has its own status', async () => {
  const { answer, reject } = await running()
  reject(new TocsinError('skill_unknown', 'No such skill.'))
  expect((await answer).status).toBe(422)
})

test('the answer contains warnings about the output, and the details of a failed call', async () => {
  const warned = await running()
  warned.resolve({ ok: true, output: { total: '3' }, warnings: ['total must be integer, and is a text'] })
  expect(await (await warned.answer).json()).toEqual({ ok: true, output: { total: '3' }, warnings: ['total must be integer, and is a text'] })
  await server.close()
  const failed = await running()
  failed.resolve({
    ok: false,
    effect: 'unknown',
    failure: { code: 'network', message: 'Cut.', remedy: 'Look.', retryAfter: null },
    output: { results: [{ id: 'a', status: 'done' }], done: 1 },
    requests: [{ request: 'POST /bulk', status: 200, body: { ok: 1 } }],
  })
  expect(await (await failed.answer).json()).toEqual({
    ok: false,
    effect: 'unknown',
    code: 'network',
    message: 'Cut.',
    remedy: 'Look.',
    output: { results: [{ id: 'a', status: 'done' }], done: 1 },
    requests: [{ request: 'POST /bulk', status: 200, body: { ok: 1 } }],
  })
})
