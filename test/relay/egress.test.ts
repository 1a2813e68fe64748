import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asId, type OrganizationId } from '../../runtime/domain/index.ts'
import { createEgress, type Egress, type OutboundRequest, type Route, type RouteStream } from '../../runtime/egress/index.ts'
import { makePki } from '../simulators/pki.ts'
import { plant, Site } from './support/site.ts'

/* A private system, an agent that reaches it, and the runtime's egress. */

const pki = makePki()
const secret = 'canary-of-the-credentials'
let site: Site
let server: Server
let egress: Egress
let origin: string
let entry: string
/** Requests that arrived, each with its socket. */
let seen: { readonly line: string; readonly socket: Socket }[] = []

beforeEach(async () => {
  seen = []
  site = new Site()
  await site.open()
  server = createServer({ key: pki.key, cert: pki.cert }, (request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, socket: request.socket })
    if (request.url === '/silent') return
    if (request.url === '/large') return response.end(Buffer.alloc(20_000_000, 'x'))
    request.resume().on('end', () => response.end('hello'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  entry = `127.0.0.1:${(server.address() as AddressInfo).port}`
  origin = `https://${entry}`
  // Directly, nothing on this machine may be called.
  egress = createEgress({ ca: [pki.ca], allow: [] }, site.clock)
})

afterEach(async () => {
  await egress.close()
  await site.close()
  server.closeAllConnections()
  server.close()
})

function request(path: string, over: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'POST',
    url: new URL(path, origin),
    headers: { authorization: secret },
    body: JSON.stringify({ secret }),
    origins: [origin],
    route: site.route(plant),
    timeout: 30_000,
    maxAnswer: 1_000,
    sendBy: null,
    ...over,
  }
}

/** Resolves when the connection of a call that has ended is free for the next. */
const free = (): Promise<void> => new Promise(setImmediate)

test('a private system is reached through the agent, and only through it', async () => {
  const { log } = await site.agent([entry])
  expect(await egress.call(request('/a', { route: null }))).toMatchObject({ effect: 'refused', code: 'egress_refused' })
  expect(await egress.call(request('/a'))).toMatchObject({ effect: 'done', answer: { status: 200 } })
  await free()
  expect(await egress.call(request('/b'))).toMatchObject({ effect: 'done' })
  expect(seen.map(({ line }) => line)).toEqual(['POST /a', 'POST /b'])
  // One connection serves both calls.
  expect(log).toEqual([`${entry} connected`])
})

test('the agent sees no credential, no path and no body', async () => {
  const { socket } = await site.agent([entry])
  const passing: Buffer[] = []
  socket.on('message', (data: Buffer) => passing.push(data))
  expect(await egress.call(request('/the-path'))).toMatchObject({ effect: 'done' })
  const bytes = Buffer.concat(passing).toString('latin1')
  expect(bytes.length).toBeGreaterThan(500)
  for (const hidden of [secret, Buffer.from(secret).toString('base64'), 'the-path', 'hello', 'authorization']) expect(bytes).not.toContain(hidden)
})

test('an agent that is offline fails the call at once, and nothing goes around it', async () => {
  // Allowed directly, so that going around would work.
  const open = createEgress({ ca: [pki.ca], allow: [entry] }, site.clock)
  expect(await open.call(request('/a'))).toMatchObject({ effect: 'not_sent', code: 'agent_offline' })
  expect(await open.call(request('/a', { route: null }))).toMatchObject({ effect: 'done' })
  // Neither does a call go over a connection that was made directly.
  expect(await open.call(request('/b'))).toMatchObject({ effect: 'not_sent', code: 'agent_offline' })
  expect(seen.map(({ line }) => line)).toEqual(['POST /a'])
  await open.close()
})

test('a target that the allow-list does not have, and one that does not answer, have errors of their own', async () => {
  await site.agent(['127.0.0.1:1'])
  expect(await egress.call(request('/a'))).toMatchObject({ effect: 'not_sent', code: 'agent_refused' })
  const closed = request('/a', { url: new URL('https://127.0.0.1:1/a'), origins: ['https://127.0.0.1:1'] })
  expect(await egress.call(closed)).toMatchObject({ effect: 'not_sent', code: 'network', message: expect.stringContaining('Nothing listens') })
})

test('TLS ends in the runtime: a certificate that it does not trust fails the call', async () => {
  await site.agent([entry])
  const distrustful = createEgress({ ca: [], allow: [] }, site.clock)
  const result = await distrustful.call(request('/a'))
  expect(result).toMatchObject({ effect: 'not_sent', code: 'network', message: expect.stringContaining('No trusted CA') })
  expect(seen).toEqual([])
  await distrustful.close()
})

test('only HTTPS to an origin of the connection goes over an agent', async () => {
  await site.agent([entry])
  const plain = { url: new URL(`http://${entry}/`), origins: [`http://${entry}`], plainHttp: true }
  expect(await egress.call(request('/', plain))).toMatchObject({ effect: 'refused' })
  expect(await egress.call(request('/', { origins: ['https://elsewhere.example'] }))).toMatchObject({ effect: 'refused' })
  expect(seen).toEqual([])
})

test('a write that a lost agent cut is in doubt, and is not sent again', async () => {
  const first = await site.agent([entry])
  await site.agent([entry])
  const call = egress.call(request('/silent', { sendBy: site.clock.now() + 30_000 }))
  await expect.poll(() => seen.length).toBe(1)
  first.socket.terminate()
  expect(await call).toMatchObject({ effect: 'unknown', code: 'network' })
  expect(await egress.call(request('/next'))).toMatchObject({ effect: 'done' })
  expect(seen.map(({ line }) => line)).toEqual(['POST /silent', 'POST /next'])
})

test('a write over a standing connection does not arrive late, if the agent slept since', async () => {
  await site.agent([entry])
  expect(await egress.call(request('/before'))).toMatchObject({ effect: 'done' })
  await free()
  site.uptime += 60_000
  const late = await egress.call(request('/late', { sendBy: site.clock.now() + 30_000 }))
  expect(late).toMatchObject({ effect: 'unknown', code: 'network' })
  // A new connection knows the agent's clock as it is now. A read has no limit.
  expect(await egress.call(request('/write', { sendBy: site.clock.now() + 30_000 }))).toMatchObject({ effect: 'done' })
  expect(await egress.call(request('/read'))).toMatchObject({ effect: 'done' })
  expect(seen.map(({ line }) => line)).toEqual(['POST /before', 'POST /write', 'POST /read'])
})

test('a write whose connection opens too late is not sent', async () => {
  await site.agent([entry])
  const result = await egress.call(request('/a', { sendBy: site.clock.now() - 1 }))
  expect(result).toMatchObject({ effect: 'not_sent', code: 'send_too_late' })
  expect(seen).toEqual([])
})

test('organizations share no connection, even to the same system', async () => {
  const acme: Route = site.route({ organization: asId<OrganizationId>('acme'), name: 'plant' })
  await site.agent([entry])
  await site.agent([entry], { organization: asId<OrganizationId>('acme'), name: 'plant' })
  for (const route of [acme, site.route(plant), acme]) expect(await egress.call(request('/a', { route }))).toMatchObject({ effect: 'done' })
  const sockets = seen.map(({ socket }) => socket)
  expect(sockets[0]).not.toBe(sockets[1])
  expect(sockets[0]).toBe(sockets[2])
})

test('a tunnel that shall end does not wait for connections that nobody uses, but for calls that are under way', async () => {
  // The system would keep them for longer than a test may take.
  server.keepAliveTimeout = 600_000
  const { tunnel } = await site.agent([entry])
  const large = await egress.open(request('/large', { maxAnswer: 100_000_000 }), new AbortController().signal)
  const idle = await egress.call(request('/a'))
  expect(idle).toMatchObject({ effect: 'done' })
  await free()
  site.online.leave()
  await tunnel.left
  expect(large.effect === 'done' && (await text(large.answer.body)).length).toBe(20_000_000)
  await tunnel.gone
})

test('a large answer is streamed, and one that is not read holds back nobody else', async () => {
  await site.agent([entry])
  const never = new AbortController().signal
  const large = () => egress.open(request('/large', { maxAnswer: 100_000_000 }), never)
  const [unread, read] = await Promise.all([large(), large()])
  expect(read.effect === 'done' && (await text(read.answer.body)).length).toBe(20_000_000)
  expect(await egress.call(request('/a'))).toMatchObject({ effect: 'done' })
  if (unread.effect === 'done') unread.answer.cancel()
})

/** The route to the plant. Each connection that it opens goes to `opened`. */
function observed(opened: (stream: RouteStream) => void): Route {
  const agents = site.route(plant)
  return {
    ...agents,
    async open(host, port) {
      const stream = await agents.open(host, port)
      opened(stream)
      return stream
    },
  }
}

test('a connection ends when others need its memory, if no call is on it', async () => {
  await site.agent([entry])
  const streams: RouteStream[] = []
  const route = observed((stream) => void streams.push(stream))
  const silent = egress.call(request('/silent', { route }))
  await expect.poll(() => seen.length).toBe(1)
  expect(await egress.call(request('/a', { route }))).toMatchObject({ effect: 'done' })
  await free()
  for (const stream of streams) stream.emit('spare')
  await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([false, true])
  seen[0]?.socket.destroy()
  expect(await silent).toMatchObject({ effect: 'unknown' })
})

test.each(['spare', 'leaving'])('no call is lost to a connection that is given up (%s) while the call begins', async (event) => {
  await site.agent([entry])
  const streams: RouteStream[] = []
  const route = observed((stream) => void streams.push(stream))
  // The moment between the choice of the connection and the request is some microtasks after the call.
  for (let microtasks = 0; microtasks < 30; microtasks += 1) {
    expect(await egress.call(request('/a', { route }))).toMatchObject({ effect: 'done' })
    await free()
    const call = egress.call(request('/a', { route }))
    for (let passed = 0; passed < microtasks; passed += 1) await null
    streams.at(-1)?.emit(event)
    expect(await call).toMatchObject({ effect: 'done' })
  }
  expect(streams.length).toBeGreaterThan(1)
})

test('a connection whose tunnel already ends when it is ready has one call only', async () => {
  const { tunnel } = await site.agent([entry])
  let opened = 0
  const agents = site.route(plant)
  const route: Route = {
    ...agents,
    async open(host, port) {
      const stream = await agents.open(host, port)
      opened += 1
      if (opened > 1) return stream
      await site.agent([entry])
      const left = new Promise((resolve) => stream.once('leaving', resolve))
      tunnel.leave()
      await left
      return stream
    },
  }
  expect(await egress.call(request('/a', { route }))).toMatchObject({ effect: 'done' })
  await free()
  expect(await egress.call(request('/a', { route }))).toMatchObject({ effect: 'done' })
  expect(opened).toBe(2)
})

test('a connection is not given up before the call that it was made for', async () => {
  await site.agent([entry])
  const route = observed((stream) => {
    queueMicrotask(() => stream.emit('spare'))
    setImmediate(() => stream.emit('leaving'))
  })
  expect(await egress.call(request('/a', { route }))).toMatchObject({ effect: 'done' })
})
