import { expect, test } from 'vitest'
import { processOver, records } from '../../../test/support/records.ts'
import { fine, isToken, read, tokenInstallation, url, write } from '../../../test/support/token-installation.ts'
import { systemScope } from '../../domain/index.ts'
import type { Deadline } from '../send/deadline.ts'
import { createSender } from '../send/way-out.ts'
import type { Asked, TokenResult } from './types.ts'

test('a token is requested once and used by all calls of a process', async () => {
  const { egress, newProcess, send, asked } = await tokenInstallation()
  const deps = newProcess()
  const results = await Promise.all(Array.from({ length: 20 }, () => send(deps)))
  expect(results).toEqual(Array(20).fill(fine))
  await send(deps)
  expect(asked()).toBe(1)
  expect(egress.sent[0]).toMatchObject({ method: 'POST', origins: [url], headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  expect(egress.sent.at(-1)).toMatchObject({
    url: new URL('/data/v1/records/1', url),
    headers: { authorization: expect.stringMatching(/^Bearer kanarienvogel-1/) },
  })
})

test('processes share one token through the store, where it is sealed', async () => {
  const { store, system, connection, egress, newProcess, send, pass, asked } = await tokenInstallation()
  const [one, two] = [newProcess(), newProcess()]
  egress.hold = isToken
  const results = Promise.all([send(one), send(one), send(two), send(two)])
  await pass(1_000)
  expect(asked()).toBe(1)
  egress.release()
  await pass(1_000)
  expect(await results).toEqual(Array(4).fill(fine))
  expect(await send(newProcess())).toEqual(fine)
  expect(asked()).toBe(1)
  const kept = JSON.stringify(await store.tokens.get(systemScope, connection))
  expect(kept).not.toContain(system.issued[0])
})

test('if a process dies while it requests a token, another takes over once the lease has expired', async () => {
  const { egress, newProcess, send, pass, asked } = await tokenInstallation()
  egress.hold = () => true
  void send(newProcess())
  await pass(200)
  const other = send(newProcess())
  await pass(14_000)
  expect(asked()).toBe(1)
  egress.hold = null
  await pass(2_000)
  expect(asked()).toBe(2)
  expect(await other).toEqual(fine)
})

test('an answer that says that the token has expired renews it once, and the request is sent once more', async () => {
  const { system, egress, newProcess, send, asked } = await tokenInstallation()
  const deps = newProcess()
  await send(deps)
  system.expireAll()
  expect(await Promise.all([send(deps), send(deps, write), send(deps)])).toEqual([fine, fine, fine])
  expect(asked()).toBe(2)
  expect(system.writes).toEqual(['/data/v1/records/1'])
  expect(egress.sent.filter((request) => !isToken(request))).toHaveLength(1 + 2 * 3)
})

test('a second such answer is a normal failure; nothing is tried a third time', async () => {
  const { system, egress, newProcess, send, asked } = await tokenInstallation()
  system.closed = true
  expect(await send(newProcess())).toMatchObject({ effect: 'done', answer: { status: 401, body: [{ errorCode: 'INVALID_SESSION_ID' }] } })
  expect([asked(), egress.sent.length]).toEqual([2, 4])
})

test('a 401 that means something else renews nothing', async () => {
  const { system, egress, newProcess, send } = await tokenInstallation()
  system.closed = true
  system.invalid = 'NOT_FOR_THIS_API'
  expect(await send(newProcess())).toMatchObject({ effect: 'done', answer: { status: 401 } })
  expect(egress.sent).toHaveLength(2)
})

test('a process with an older token than another one uses the newer one', async () => {
  const { system, newProcess, send, asked } = await tokenInstallation()
  const [one, two] = [newProcess(), newProcess()]
  await send(one)
  await send(two)
  system.expireAll()
  await send(one)
  expect(await send(two)).toEqual(fine)
  expect(asked()).toBe(2)
})

test('a write is not sent again after its sendBy, and its answer is the result', async () => {
  const { clock, system, egress, newProcess, send, pass, asked } = await tokenInstallation()
  const deps = newProcess()
  await send(deps)
  system.expireAll()
  egress.hold = isToken
  const result = send(deps, write, { sendBy: clock.now() + 1_000 })
  await pass(2_000)
  egress.release()
  expect(await result).toMatchObject({ effect: 'not_sent', code: 'call_timeout' })
  await pass(1_000)
  system.expireAll()
  egress.hold = (request) => request.method === 'PATCH'
  const slow = send(deps, write, { sendBy: clock.now() + 1_000 })
  await pass(2_000)
  egress.release()
  expect(await slow).toMatchObject({ effect: 'done', answer: { status: 401 } })
  expect(asked()).toBe(2)
  expect(system.writes).toEqual([])
  expect(egress.sent.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
})

test('a manual test requests a new token although there is one', async () => {
  const { newProcess, send, asked } = await tokenInstallation()
  const deps = newProcess()
  await send(deps)
  expect(await send(deps, read, {}, true)).toEqual(fine)
  expect(asked()).toBe(2)
  await send(deps)
  expect(asked()).toBe(2)
})

test('a token is renewed before the expiry that its answer names', async () => {
  const { system, newProcess, send, pass, asked } = await tokenInstallation()
  const deps = newProcess()
  system.says = { token_type: 'bearer', expires_in: '100' }
  await send(deps)
  await pass(89_000)
  await send(deps)
  expect(asked()).toBe(1)
  await pass(2_000)
  await send(deps)
  expect(asked()).toBe(2)
})

test.each([1e15, 1e308])('a token that lasts %d seconds is kept, and every process can use it', async (seconds) => {
  const { system, newProcess, send, asked } = await tokenInstallation()
  system.says = { token_type: 'bearer', expires_in: seconds }
  expect([await send(newProcess()), await send(newProcess())]).toEqual([fine, fine])
  expect(asked()).toBe(1)
})

test('a changed connection has a token of its own, and a removed one has none', async () => {
  const { store, connection, newProcess, send, asked } = await tokenInstallation()
  const deps = newProcess()
  await send(deps)
  const next = { ...connection, revision: 2 }
  await store.connections.revise(systemScope, next)
  expect(await send(deps, read, {}, false, next)).toEqual(fine)
  expect(asked()).toBe(2)
  expect(await send(newProcess())).toMatchObject({ effect: 'not_sent', code: 'connection_changed' })
  await store.connections.remove(systemScope, connection.id)
  expect(await send(newProcess(), read, {}, false, next)).toMatchObject({ effect: 'not_sent', code: 'connection_changed' })
  expect(asked()).toBe(2)
})

test('the stored token of another revision cannot be read, so another is requested', async () => {
  const { store, connection, newProcess, send, asked } = await tokenInstallation()
  await send(newProcess())
  const kept = await store.tokens.get(systemScope, connection)
  if (!kept) throw new Error('there is no token')
  const next = { ...connection, revision: 2 }
  await store.connections.revise(systemScope, next)
  await store.tokens.lease(systemScope, next, { seen: 0, holder: 'thief', duration: 1, anew: false })
  await store.tokens.put(systemScope, next, 'thief', kept)
  expect(await send(newProcess(), read, {}, false, next)).toEqual(fine)
  expect(asked()).toBe(2)
})

test('abandoning one call does not take the token from the others', async () => {
  const { egress, newProcess, send, pass, asked } = await tokenInstallation()
  const deps = newProcess()
  const controller = new AbortController()
  egress.hold = isToken
  const [given, kept] = [send(deps, read, { signal: controller.signal }), send(deps)]
  await pass(100)
  controller.abort()
  expect(await given).toMatchObject({ effect: 'not_sent', code: 'network' })
  egress.release()
  expect(await kept).toEqual(fine)
  expect(asked()).toBe(1)
})

test('token requests and repeated requests count towards the rate limit', async () => {
  const { clock, store, system, egress, connection } = await tokenInstallation()
  const slow = { ...records, manifest: { ...records.manifest, rateLimit: { requests: 1, interval: 1_000, burst: 3 } } }
  const deps = processOver(store, egress, clock)
  const slowly = createSender(deps, {
    plugin: slow,
    connection,
    lane: 'run',
    deadline: { timeout: 500, sendBy: null, signal: new AbortController().signal },
  })
  system.closed = true
  // Token, request, token: these take all permits, so the next request gets none.
  expect(await slowly.send(read)).toMatchObject({ effect: 'not_sent', code: 'rate_limited' })
  expect(egress.sent).toHaveLength(3)
})

test('a stream is restarted with a new token, too', async () => {
  const { system, newProcess, send, asked, connection } = await tokenInstallation()
  const deps = newProcess()
  await send(deps)
  system.expireAll()
  const deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal }
  const { stream } = createSender(deps, { plugin: records, connection, lane: 'run', deadline })
  const opened = await stream(read, 1_000)
  expect(opened).toMatchObject({ effect: 'done', answer: { status: 200 } })
  expect(asked()).toBe(2)
})

test('a caller that needs a newer token than the current renewal gives starts another renewal', async () => {
  const { connection, newProcess, send } = await tokenInstallation()
  await send(newProcess())
  const { tokens } = newProcess()
  let asked = 0
  const ask = async (): Promise<Asked> => {
    asked += 1
    return { ok: true, granted: { token: `new ${asked}`, lifetime: null, members: {} } }
  }
  const deadline: Deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal }
  const obtain = (newerThan: number): Promise<TokenResult> =>
    tokens.obtain({ connection, patience: 1_000, ask }, { newerThan, anew: false }, deadline)
  expect(await Promise.all([obtain(0), obtain(1)])).toMatchObject([
    { ok: true, token: { version: 1 } },
    { ok: true, token: { version: 2, text: 'new 1' } },
  ])
})
