import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePki } from '../../test/simulators/pki.ts'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { asId, type PauseId } from '../domain/index.ts'
import { createEgress, type Denial, type Egress, type OutboundRequest, type PauseCheck } from './index.ts'

const pki = makePki()
let server: Server
let origin: string
let egress: Egress
let seen: string[] = []
let connections = 0
const clock = new ManualClock()

beforeAll(async () => {
  server = createServer({ key: pki.key, cert: pki.cert }, (request, response) => {
    seen.push(`${request.method} ${request.url}`)
    switch (request.url) {
      case '/slow':
        return
      case '/cut':
        return request.socket.destroy()
      case '/half':
        response.writeHead(200, { 'content-length': '100' }).write('{')
        return setImmediate(() => request.socket.destroy())
      case '/moved':
        return response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
      case '/large':
        return response.end('x'.repeat(2_000))
      default:
        request.resume().on('end', () => response.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'] }).end('hello'))
    }
  })
  server.on('secureConnection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  egress = createEgress({ ca: [pki.ca], allow: [origin.slice('https://'.length)] }, clock)
})

afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  server.close()
})

function request(path: string, over: Partial<OutboundRequest> = {}): OutboundRequest {
  seen = []
  return {
    method: 'POST',
    url: new URL(path, origin),
    headers: {},
    body: '{}',
    origins: [origin],
    route: null,
    timeout: 60_000,
    maxAnswer: 1_000,
    sendBy: null,
    ...over,
  }
}

test('an answer is returned whole, with header names in lower case', async () => {
  const result = await egress.call(request('/ok'))
  expect(result).toMatchObject({ effect: 'done', answer: { status: 200, headers: { 'set-cookie': 'a=1, b=2' } } })
  expect(result.effect === 'done' && new TextDecoder().decode(result.answer.body)).toBe('hello')
})

test('a redirect is an answer, and is not followed', async () => {
  expect(await egress.call(request('/moved'))).toMatchObject({ effect: 'done', answer: { status: 302 } })
})

test.each(['/cut', '/half'])('a connection lost at %s leaves the effect unknown', async (path) => {
  expect(await egress.call(request(path))).toMatchObject({ effect: 'unknown', code: 'network' })
})

test('a call that was sent and not answered in time has an unknown effect', async () => {
  const call = egress.call(request('/slow', { timeout: 1_000 }))
  await expect.poll(() => seen).toEqual(['POST /slow'])
  clock.advance(1_000)
  expect(await call).toMatchObject({ effect: 'unknown', code: 'call_timeout' })
})

test('a call that is abandoned before it was sent is not sent later', async () => {
  const abort = new AbortController()
  const call = egress.call(request('/late'), abort.signal)
  abort.abort()
  expect(await call).toMatchObject({ effect: 'not_sent' })
  await egress.call(request('/ok'))
  expect(seen).toEqual(['POST /ok'])
})

test('a write whose sendBy has passed is dropped at the socket', async () => {
  expect(await egress.call(request('/ok', { sendBy: clock.now() - 1 }))).toMatchObject({ effect: 'not_sent', code: 'send_too_late' })
  expect(seen).toEqual([])
})

const denial: Denial = { code: 'paused', message: 'paused', turnedAway: { pause: asId<PauseId>('p') } }

test('a write that the pause check stops is not sent', async () => {
  expect(await egress.call(request('/ok', { pauseCheck: async () => denial }))).toEqual({ effect: 'not_sent', ...denial })
  expect(seen).toEqual([])
})

test('a write whose pause check does not answer in time is not sent, not even later', async () => {
  for (const over of [{ timeout: 1_000 }, { sendBy: clock.now() + 2_000 }]) {
    const answer = Promise.withResolvers<null>()
    const call = egress.call(request('/ok', { pauseCheck: () => answer.promise, ...over }))
    clock.advance(2_000)
    expect(await call).toMatchObject({ effect: 'not_sent', code: 'store_unavailable', turnedAway: { pause: null } })
    answer.resolve(null)
  }
  await egress.call(request('/after'))
  expect(seen).toEqual(['POST /after'])
})

/** Returns a pause check that allows the write once for each delay. Then the connection takes that long to open. */
function slowly(delays: readonly number[], last: Denial | null = null): { asked(): number; pauseCheck: PauseCheck } {
  let asked = 0
  return {
    asked: () => asked,
    async pauseCheck() {
      const delay = delays[asked]
      asked += 1
      if (delay === undefined) return last
      setImmediate(() => clock.advance(delay))
      return null
    },
  }
}

test('a write that waited too long for its connection is checked again, and leaves with the connection that it has waited for', async () => {
  const fresh = createEgress({ ca: [pki.ca], allow: ['127.0.0.1'] }, clock)
  const before = connections
  const { asked, pauseCheck } = slowly([501])
  expect(await fresh.call(request('/ok', { pauseCheck }))).toMatchObject({ effect: 'done' })
  expect([asked(), connections - before, seen]).toEqual([2, 1, ['POST /ok']])
  await fresh.close()
})

test('a write that is paused while it waits for its connection is not sent', async () => {
  const fresh = createEgress({ ca: [pki.ca], allow: ['127.0.0.1'] }, clock)
  const { pauseCheck } = slowly([501], denial)
  expect(await fresh.call(request('/ok', { pauseCheck }))).toEqual({ effect: 'not_sent', ...denial })
  expect(seen).toEqual([])
  await fresh.close()
})

test('a write that is abandoned during its pause check is not sent', async () => {
  const abort = new AbortController()
  const call = egress.call(request('/ok', { pauseCheck: () => new Promise(() => {}) }), abort.signal)
  abort.abort()
  expect(await call).toMatchObject({ effect: 'not_sent', code: 'network' })
  expect(seen).toEqual([])
})

test('an answer larger than allowed is not read to its end', async () => {
  expect(await egress.call(request('/large'))).toMatchObject({ effect: 'unknown', code: 'answer_too_large' })
})

test('nothing is sent if nobody listens at the address', async () => {
  const gone = 'https://127.0.0.1:1'
  const other = createEgress({ ca: [pki.ca], allow: ['127.0.0.0/8'] }, clock)
  expect(await other.call(request('/', { url: new URL(gone), origins: [gone] }))).toMatchObject({
    effect: 'not_sent',
    code: 'network',
    message: expect.stringContaining('ECONNREFUSED'),
  })
  await other.close()
})

test('a certificate from an unknown CA is refused before anything is sent', async () => {
  const distrustful = createEgress({ ca: [], allow: ['127.0.0.1'] }, clock)
  expect(await distrustful.call(request('/ok'))).toMatchObject({ effect: 'not_sent', code: 'network' })
  expect(seen).toEqual([])
  await distrustful.close()
})

test.each([
  ['plain HTTP', { url: new URL('http://127.0.0.1/'), origins: ['http://127.0.0.1'] }],
  ["another's origin", { url: new URL('https://elsewhere.example/') }],
  ['a user name in the address', { url: new URL('https://user@127.0.0.1/'), origins: ['https://127.0.0.1'] }],
] as const)('%s is refused', async (_name, over) => {
  expect(await egress.call(request('/', over))).toMatchObject({ effect: 'refused', code: 'egress_refused' })
})

test.each(['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', '[::ffff:10.0.0.1]', 'localhost'])(
  '%s is refused unless it is named',
  async (host) => {
    const careful = createEgress({ ca: [pki.ca], allow: [] }, clock)
    const to = `https://${host}:${new URL(origin).port}`
    expect(await careful.call(request('/ok', { url: new URL(to), origins: [new URL(to).origin] }))).toMatchObject({
      effect: 'refused',
      code: 'egress_refused',
    })
    expect(seen).toEqual([])
    await careful.close()
  },
)

test.each([
  ['https://127.0.0.1/in', false],
  ['https://[::ffff:169.254.169.254]/in', false],
  ['https://10.1.2.3:8443/in', true],
  ['https://192.0.2.1/in', false],
  ['https://8.8.8.8/in', true],
  // The addresses of a name are known only when it is called.
  ['https://localhost/in', true],
])('whether an IP address may be called is known before the call: %s, %s', async (to, may) => {
  const named = createEgress({ ca: [], allow: ['10.1.2.3:8443'] }, clock)
  const url = new URL(to)
  expect(named.objection({ url, origins: [url.origin], route: null }) === null).toBe(may)
  await named.close()
})

test('allowing one port of a host allows no other', async () => {
  const narrow = createEgress({ ca: [pki.ca], allow: ['127.0.0.1:1'] }, clock)
  expect(await narrow.call(request('/ok'))).toMatchObject({ effect: 'refused' })
  await narrow.close()
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080/in', true],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/in', true],
  ['127.0.0.1:80', 'http://127.0.0.1/in', true],
  ['10.0.0.0/8', 'http://10.1.2.3/in', true],
  ['soar.internal', 'http://soar.internal/in', true],
  ['[::1]', 'http://[::1]/in', true],
  ['127.0.0.1:8080', 'http://127.0.0.1:8081/in', false],
  ['10.0.0.0/8', 'http://soar.internal/in', false],
  ['soar.internal', 'http://soar.example/in', false],
  ['soar.internal', 'ftp://soar.internal/in', false],
])('with %s named, plain HTTP to %s, where it was asked for: %s', async (entry, to, may) => {
  const named = createEgress({ ca: [], allow: [entry] }, clock)
  const url = new URL(to)
  expect(named.objection({ url, origins: [url.origin], route: null, plainHttp: true }) === null).toBe(may)
  expect(named.objection({ url, origins: [url.origin], route: null })).toContain('not HTTPS')
  await named.close()
})

test('an entry that cannot be read is a configuration error', () => {
  expect(() => createEgress({ ca: [], allow: ['not an entry!'] }, clock)).toThrow(expect.objectContaining({ code: 'config_invalid' }))
})

test('a request that gets its connection after its permit has ended is not sent; the connection stays for the next try', async () => {
  const own = createEgress({ ca: [pki.ca], allow: [origin.slice('https://'.length)] }, clock)
  const before = connections
  const late = request('/late', { leaveBy: clock.now() - 1 })
  expect(await own.call(late)).toMatchObject({ effect: 'not_sent', code: 'rate_limited', turnPassed: true })
  expect(seen).toEqual([])
  expect(await own.call({ ...late, leaveBy: clock.now() })).toMatchObject({ effect: 'done' })
  expect([seen, connections - before]).toEqual([['POST /late'], 1])
  await own.close()
})

test('reach opens a connection without sending anything, and the next request uses it', async () => {
  const own = createEgress({ ca: [pki.ca], allow: [origin.slice('https://'.length)] }, clock)
  const before = connections
  const { signal } = new AbortController()
  const to = request('/')
  await Promise.all([own.reach(to, signal), own.reach(to, signal)])
  // The server notices this a little later than the client.
  await expect.poll(() => connections - before).toBe(2)
  expect(seen).toEqual([])
  expect(await Promise.all([own.call(to), own.call(to)])).toMatchObject([{ effect: 'done' }, { effect: 'done' }])
  expect([seen.length, connections - before]).toEqual([2, 2])
  await own.close()
})

test('the wait ends if no connection can be opened or none is allowed', async () => {
  const { signal } = new AbortController()
  await egress.reach(request('/', { url: new URL('https://127.0.0.1:1/'), origins: ['https://127.0.0.1:1'] }), signal)
  await egress.reach(request('/', { url: new URL('https://elsewhere.example/') }), signal)
  const given = new AbortController()
  const stopped = egress.reach(request('/'), given.signal)
  given.abort()
  await stopped
})
