import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { egressTo, processOver, records, recordsConnection } from '../../../test/support/records.ts'
import { TokenSystem } from '../../../test/support/token-system.ts'
import { systemScope } from '../../domain/index.ts'
import { compileText } from '../../expressions/index.ts'
import type { SendResult, SkillRequest } from '../../plugin/index.ts'
import { openMemoryStore } from '../../storage/embedded/index.ts'
import type { CallDeps } from '../call/deps.ts'
import type { Deadline } from '../send/deadline.ts'
import { createSender } from '../send/way-out.ts'
import type { Asked, TokenResult } from './types.ts'

const url = 'https://acme.my.example.com'
const read: SkillRequest = { method: 'GET', path: '/records/1', query: [], headers: {}, body: undefined }
const write: SkillRequest = { ...read, method: 'PATCH', body: { name: 'new' } }
const isToken = ({ url: { pathname } }: { readonly url: URL }): boolean => pathname === '/oauth2/token'

/** Makes a system, a store with a connection, and processes that share them. */
async function installation() {
  const clock = new ManualClock()
  const store = openMemoryStore(clock)
  const system = new TokenSystem()
  const connection = recordsConnection(system, url)
  await store.connections.create(systemScope, connection)
  const egress = egressTo(system)
  const newProcess = (): CallDeps => processOver(store, egress, clock)
  const send = (deps: CallDeps, request = read, deadline: Partial<Deadline> = {}, anew = false, who = connection): Promise<SendResult> =>
    createSender(deps, {
      plugin: records,
      connection: who,
      lane: 'run',
      deadline: { timeout: 30_000, sendBy: null, signal: new AbortController().signal, ...deadline },
      anew,
    }).send(request)
  /** Advances the clock in steps, and lets everything run that waits for it. */
  const pass = async (milliseconds: number): Promise<void> => {
    for (let done = 0; done < milliseconds; done += 100) {
      for (let turn = 0; turn < 5; turn += 1) await turnOfLoop()
      clock.advance(100)
    }
    for (let turn = 0; turn < 5; turn += 1) await turnOfLoop()
  }
  const asked = (): number => egress.sent.filter(isToken).length
  return { clock, store, system, connection, egress, newProcess, send, pass, asked }
}

const fine = expect.objectContaining({ effect: 'done', answer: expect.objectContaining({ status: 200 }) })

test('a token is requested once and used by all calls of a process', async () => {
  const { egress, newProcess, send, asked } = await installation()
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
  const { store, system, connection, egress, newProcess, send, pass, asked } = await installation()
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
  const { egress, newProcess, send, pass, asked } = await installation()
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
  const { system, egress, newProcess, send, asked } = await installation()
  const deps = newProcess()
  await send(deps)
  system.expireAll()
  expect(await Promise.all([send(deps), send(deps, write), send(deps)])).toEqual([fine, fine, fine])
  expect(asked()).toBe(2)
  expect(system.writes).toEqual(['/data/v1/records/1'])
  expect(egress.sent.filter((request) => !isToken(request))).toHaveLength(1 + 2 * 3)
})

test('a second such answer is a normal failure; nothing is tried a third time', async () => {
  const { system, egress, newProcess, send, asked } = await installation()
  system.closed = true
  expect(await send(newProcess())).toMatchObject({ effect: 'done', answer: { status: 401, body: [{ errorCode: 'INVALID_SESSION_ID' }] } })
  expect([asked(), egress.sent.length]).toEqual([2, 4])
})

test('a 401 that means something else renews nothing', async () => {
  const { system, egress, newProcess, send } = await installation()
  system.closed = true
  system.invalid = 'NOT_FOR_THIS_API'
  expect(await send(newProcess())).toMatchObject({ effect: 'done', answer: { status: 401 } })
  expect(egress.sent).toHaveLength(2)
})

test('a process with an older token than another one uses the newer one', async () => {
  const { system, newProcess, send, asked } = await installation()
  const [one, two] = [newProcess(), newProcess()]
  await send(one)
  await send(two)
  system.expireAll()
  await send(one)
  expect(await send(two)).toEqual(fine)
  expect(asked()).toBe(2)
})

test('a write is not sent again after its sendBy, and its answer is the result', async () => {
  const { clock, system, egress, newProcess, send, pass, asked } = await installation()
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

test('a rejected secret is not tried again for 30 seconds by any process, except by a manual test', async () => {
  const { system, newProcess, send, pass, asked } = await installation()
  system.clientSecret = 'rotated'
  const refused = {
    effect: 'not_sent',
    code: 'token_refused',
    message: expect.stringContaining('(400: not [secret] nor [secret])'),
    remedy: expect.stringContaining('client secret'),
    vendor: { status: 400, code: 'invalid_client' },
  }
  const deps = newProcess()
  for (const process of [deps, deps, newProcess()]) expect(await send(process)).toEqual(refused)
  expect(asked()).toBe(1)
  expect(await send(deps, read, {}, true)).toEqual(refused)
  expect(asked()).toBe(2)
  await pass(29_000)
  expect(await send(deps)).toEqual(refused)
  expect(asked()).toBe(2)
  await pass(2_000)
  await send(deps)
  expect(asked()).toBe(3)
})

test('a refusal that the manifest knows is explained; a fault of the endpoint is not remembered for long', async () => {
  const { system, newProcess, send, pass, asked } = await installation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}' }
  const sent = async (): Promise<SendResult> => {
    const result = send(deps, write)
    await pass(1_100)
    return result
  }
  for (const _ of [1, 2]) expect(await sent()).toMatchObject({ effect: 'not_sent', code: 'vendor_unavailable' })
  expect(asked()).toBe(2)
  system.refuses = { status: 429, body: '{}', headers: { 'retry-after': '2' } }
  expect(await sent()).toMatchObject({ effect: 'not_sent', code: 'rate_limited', retryAfter: 2 })
  expect(asked()).toBe(3)
  await pass(2_100)
  system.refuses = { status: 200, body: '<html><title>Sign in</title></html>', headers: { 'content-type': 'text/html' } }
  expect(await send(deps, read, {}, true)).toMatchObject({ code: 'answer_not_understood', message: expect.stringContaining('Sign in') })
  system.refuses = { status: 400, body: '{"error":"locked"}' }
  expect(await send(deps, read, {}, true)).toMatchObject({ effect: 'not_sent', code: 'client_locked', remedy: 'Unlock it.' })
})

test('an endpoint that fails is asked once a second, however many calls need a token, and recovers within a second', async () => {
  const { system, newProcess, send, pass, asked } = await installation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}' }
  const calls: Promise<SendResult>[] = []
  for (let number = 0; number < 1_000; number += 1) {
    calls.push(send(deps, number % 2 === 0 ? read : write))
    if (number % 50 === 49) await pass(100)
  }
  // The calls came in two seconds.
  expect(asked()).toBeLessThanOrEqual(3)
  system.refuses = null
  const after = send(deps)
  await pass(1_100)
  expect(await after).toEqual(fine)
  const results = await Promise.all(calls)
  expect(results.filter(({ effect }) => effect === 'not_sent').length).toBeGreaterThan(500)
  expect(asked()).toBeLessThanOrEqual(4)
})

test('an endpoint that says how long to wait is not asked before, except by a manual test', async () => {
  const { system, newProcess, send, pass, asked } = await installation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}', headers: { 'retry-after': '20' } }
  expect(await send(deps)).toMatchObject({ code: 'vendor_unavailable', retryAfter: 20 })
  await pass(5_000)
  expect(await send(deps)).toMatchObject({ effect: 'not_sent', code: 'vendor_unavailable', retryAfter: 15 })
  expect(asked()).toBe(1)
  expect(await send(deps, read, {}, true)).toMatchObject({ code: 'vendor_unavailable' })
  expect(asked()).toBe(2)
  system.refuses = null
  await pass(20_000)
  expect(await send(deps)).toEqual(fine)
})

test('a call that waits for an endpoint to rest takes the token of another process', async () => {
  const { system, newProcess, send, pass, asked } = await installation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}' }
  await send(deps)
  const waiting = send(deps)
  system.refuses = null
  expect(await send(newProcess())).toEqual(fine)
  await pass(1_100)
  expect(await waiting).toEqual(fine)
  expect(asked()).toBe(2)
})

test('a manual test requests a new token although there is one', async () => {
  const { newProcess, send, asked } = await installation()
  const deps = newProcess()
  await send(deps)
  expect(await send(deps, read, {}, true)).toEqual(fine)
  expect(asked()).toBe(2)
  await send(deps)
  expect(asked()).toBe(2)
})

test('a token is renewed before the expiry that its answer names', async () => {
  const { system, newProcess, send, pass, asked } = await installation()
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
  const { system, newProcess, send, asked } = await installation()
  system.says = { token_type: 'bearer', expires_in: seconds }
  expect([await send(newProcess()), await send(newProcess())]).toEqual([fine, fine])
  expect(asked()).toBe(1)
})

test('a changed connection has a token of its own, and a removed one has none', async () => {
  const { store, connection, newProcess, send, asked } = await installation()
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
  const { store, connection, newProcess, send, asked } = await installation()
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

test.each([
  [url, url],
  ['https://acme.my.example.com:8443', 'https://acme.my.example.com:8443'],
  ['https://other.my.example.com', 'https://other.my.example.com'],
  ['https://a--b.sandbox.my.example.com/', 'https://a--b.sandbox.my.example.com'],
])('requests go where the token answer says: %s', async (address, origin) => {
  const { system, egress, newProcess, send } = await installation()
  system.says = { instance_url: address }
  expect(await send(newProcess())).toEqual(fine)
  expect(egress.sent.map((request) => request.url.origin)).toEqual([url, origin])
})

test.each([
  'https://my.example.com',
  'https://evilmy.example.com',
  'https://my.example.com.evil.example',
  'https://other.my.example.com:8443',
  'http://acme.my.example.com',
  'https://user@acme.my.example.com',
  'https://acme.my.example.com/path',
  'https://acme.my.example.com?x=1',
  'https://acme.my.example.com#x',
  'https://acme.my.example.com.',
  'nothing',
  '',
])('requests do not go to %s, whatever the token answer says', async (address) => {
  const { system, egress, newProcess, send } = await installation()
  system.says = { instance_url: address }
  expect(await send(newProcess())).toEqual({
    effect: 'not_sent',
    code: 'derived_origin_refused',
    message: expect.stringContaining(url),
    remedy: expect.stringContaining('Instance URL'),
  })
  expect(egress.sent).toHaveLength(1)
})

test('a secret across the end of what is shown of such an address leaves no part behind', async () => {
  const { system, newProcess, send } = await installation()
  const start = 'https://evil.example/'
  system.says = { instance_url: `${start}${'x'.repeat(190 - start.length)}${system.clientSecret}` }
  const result = await send(newProcess())
  expect(result).toMatchObject({ code: 'derived_origin_refused', message: expect.stringContaining('xx[secret]') })
  expect(JSON.stringify(result)).not.toContain(system.clientSecret.slice(0, 5))
})

test.each([{ token_type: 'mac' }, { token_type: 7 }, { access_token: 'a b' }, { access_token: 5 }, { access_token: 'x'.repeat(20_000) }])(
  'a token answer with %j gives no token, and is not shown',
  async (says) => {
    const { system, egress, newProcess, send } = await installation()
    system.says = says
    const result = await send(newProcess())
    expect(result).toMatchObject({ effect: 'not_sent', code: 'answer_not_understood', message: expect.stringMatching(/token/) })
    expect(JSON.stringify(result)).not.toMatch(/kanarienvogel|a b|xxx/)
    expect(egress.sent).toHaveLength(1)
  },
)

test('no answer contains the token or the client secret', async () => {
  const { system, newProcess, send } = await installation()
  const result = await send(newProcess())
  expect(result).toMatchObject({ answer: { body: { echo: '[secret]', secret: '[secret]', path: '/data/v1/records/1' } } })
  const text = JSON.stringify(result)
  expect(text).not.toContain('kanarienvogel')
  expect(text).not.toContain(Buffer.from(system.clientSecret).toString('base64').slice(4, -4))
})

test('abandoning one call does not take the token from the others', async () => {
  const { egress, newProcess, send, pass, asked } = await installation()
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
  const { clock, store, system, egress, connection } = await installation()
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
  const { system, newProcess, send, asked, connection } = await installation()
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
  const { connection, newProcess, send } = await installation()
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

test("a token is requested from the connection's own origins only", async () => {
  const { clock, store, egress, connection } = await installation()
  const token = records.manifest.token && { ...records.manifest.token, url: compileText('https://elsewhere.example/oauth2/token') }
  const plugin = { ...records, manifest: { ...records.manifest, token } }
  const deadline: Deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal }
  const result = await createSender(processOver(store, egress, clock), { plugin, connection, lane: 'run', deadline }).send(read)
  expect(result).toMatchObject({ effect: 'not_sent', code: 'egress_refused', message: expect.stringContaining('elsewhere.example') })
  expect(egress.sent).toEqual([])
})
