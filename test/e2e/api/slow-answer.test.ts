import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { TocsinError } from '../../../runtime/errors/index.ts'
import type { CallResult } from '../../../runtime/plugin/index.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let server: ApiServer
afterEach(() => server.close())

const path = '/platformapi/connections/0197a000-0000-7000-8000-000000000001/skills/crm.execute_crm_query'
const minutes = 60_000

/** Runs a skill that ends when the test says. `read` gives what has come of the answer's body so far. */
async function running() {
  const { promise, resolve, reject } = Promise.withResolvers<CallResult>()
  let began = (): void => {}
  const beginning = new Promise<void>((go) => {
    began = go
  })
  server = await startApi({
    manualCalls: {
      test: async () => null,
      run: () => {
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

test('an answer that takes long begins before it is known, and is the same JSON in the end', async () => {
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

test('what fails after the beginning is told in the answer', async () => {
  const { answer, reject } = await running()
  server.clock.advance(20_000)
  const response = await answer
  reject(new TocsinError('store_unavailable', 'The store is gone.'))
  expect(await response.json()).toMatchObject({ ok: false, effect: 'unknown', code: 'store_unavailable', message: 'The store is gone.' })
})

test('what is known soon has its own status', async () => {
  const { answer, reject } = await running()
  reject(new TocsinError('skill_unknown', 'No such skill.'))
  expect((await answer).status).toBe(422)
})

test('warnings of an output, and what is known of a call that failed, are in the answer', async () => {
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
