import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { egressTo, processOver, records, recordsConnection } from '../../../test/support/records.ts'
import { TokenSystem } from '../../../test/support/token-system.ts'
import { systemScope } from '../../domain/index.ts'
import type { SendResult, SkillRequest } from '../../plugin/index.ts'
import { openMemoryStore } from '../../storage/embedded/index.ts'
import { createSender } from './way-out.ts'

const url = 'https://acme.my.example.com'
const read: SkillRequest = { method: 'GET', path: '/records/1', query: [], headers: {}, body: undefined }
const hour = 3_600_000

async function installation(parts: object = {}) {
  const clock = new ManualClock()
  const store = openMemoryStore(clock)
  const system = new TokenSystem()
  const { api_version: _, ...fields } = recordsConnection(system, url).fields
  const connection = { ...recordsConnection(system, url), fields: { ...fields, ...parts } }
  await store.connections.create(systemScope, connection)
  const egress = egressTo(system)
  const deps = processOver(store, egress, clock)
  const send = (request = read, revision = connection.revision, timeout = 30_000): Promise<SendResult> =>
    createSender(deps, {
      plugin: records,
      connection: { ...connection, revision },
      lane: 'run',
      deadline: { timeout, sendBy: null, signal: new AbortController().signal },
    }).send(request)
  const paths = (): string[] => egress.sent.map((request) => request.url.pathname).filter((path) => path !== '/oauth2/token')
  return { clock, store, system, egress, connection, send, paths }
}

test('a value of the base path is detected once for all callers, without the base path, and kept for its time', async () => {
  const { clock, send, paths } = await installation()
  const results = await Promise.all([send(), send(), send()])
  expect(results.every(({ effect }) => effect === 'done')).toBe(true)
  const found = '/data/v67.0/records/1'
  expect(paths()).toEqual(['/data', found, found, found])
  clock.advance(hour - 1)
  await send()
  clock.advance(1)
  await send()
  expect(paths().slice(4)).toEqual([found, '/data', found])
})

test('a pinned value is used, and a request without the base path needs none', async () => {
  const pinned = await installation({ api_version: '41.0' })
  await pinned.send()
  expect(pinned.paths()).toEqual(['/data/v41.0/records/1'])
  const below = await installation()
  await below.send({ ...read, path: '/data', base: 'none' })
  expect(below.paths()).toEqual(['/data'])
})

test('a changed connection is asked again', async () => {
  const { store, connection, send, paths } = await installation()
  await send()
  await store.connections.revise(systemScope, { ...connection, revision: 2 })
  await send(read, 2)
  expect(paths().filter((path) => path === '/data')).toHaveLength(2)
})

test.each<[unknown, RegExp]>([
  [[], /no usable value for api_version/],
  [[{ version: 'sixty' }], /no usable value for api_version/],
  ['67.0', /no usable value for api_version/],
  [{ version: '67.0' }, /no usable value for api_version/],
])('an answer of %j fails the call, which is not sent', async (versions, message) => {
  const { system, send, paths } = await installation()
  system.versions = versions
  for (const _ of [1, 2])
    expect(await send()).toMatchObject({ effect: 'not_sent', code: 'answer_not_understood', message: expect.stringMatching(message) })
  // Failures are not kept.
  expect(paths()).toEqual(['/data', '/data'])
})

test('a failed detection fails the call, by the rows of the manifest', async () => {
  const { system, send, paths } = await installation()
  system.closed = true
  expect(await send()).toMatchObject({
    effect: 'not_sent',
    code: 'session_invalid',
    remedy: "Look at the client's policies.",
    vendor: { status: 401 },
  })
  expect(paths()).toEqual(['/data', '/data'])
  system.closed = false
  expect(await send()).toMatchObject({ effect: 'done' })
})

test('a caller that cannot wait fails, and the others get the answer', async () => {
  const { clock, egress, send } = await installation()
  egress.hold = ({ url: { pathname } }) => pathname === '/data'
  const [short, long] = [send(read, 1, 1_000), send()]
  for (let turn = 0; turn < 10; turn += 1) await turnOfLoop()
  clock.advance(1_500)
  expect(await short).toMatchObject({ effect: 'not_sent', code: 'call_timeout', message: expect.stringContaining('api_version') })
  egress.release()
  expect(await long).toMatchObject({ effect: 'done' })
})
