import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:http2'
import { duplexPair } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { createAllowList, serveTunnel } from '../../runtime/relay/agent/index.ts'
import { beginServerSession, largestMessage, mostStreams, propose, SocketStream } from '../../runtime/relay/link/index.ts'
import { plant, Site } from './support/site.ts'
import { Target } from './support/target.ts'

let site: Site
let target: Target

beforeEach(async () => {
  site = new Site()
  await site.open()
  target = await new Target().open()
})

afterEach(async () => {
  await site.close()
  await target.close()
})

const closed = (socket: WebSocket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))
const message = (socket: WebSocket): Promise<Record<string, string>> =>
  new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))))

test.each([
  ['no JSON', 'hello'],
  ['another message', '{"type":"welcome"}'],
  ['a key that is too short', '{"type":"sign_in","version":"1","public_key":"a","signature":"b"}'],
  ['a very long message', JSON.stringify({ type: 'sign_in', version: '1', filler: 'x'.repeat(10_000) })],
  ['a binary message', Buffer.from('hello')],
])('%s instead of a sign-in is refused, and the connection is closed', async (_what, sent) => {
  const socket = site.dial()
  await message(socket)
  socket.send(sent)
  await closed(socket)
  expect(site.roster.all).toEqual([])
})

test('a signature over another challenge, or by another key, does not sign in', async () => {
  const key = site.enrol()
  const stranger = generateKeyPairSync('ed25519').privateKey
  const first = site.dial()
  const { nonce = '' } = await message(first)
  for (const forge of [() => propose(key, nonce), (fresh: string) => ({ ...propose(stranger, fresh), publicKey: propose(key, fresh).publicKey })]) {
    const socket = site.dial()
    const { nonce: fresh = '' } = await message(socket)
    const { publicKey, signature } = forge(fresh)
    socket.send(JSON.stringify({ type: 'sign_in', version: '1', public_key: publicKey, signature }))
    expect(await message(socket)).toMatchObject({ type: 'refused', code: 'malformed' })
  }
  await expect(site.signIn(stranger)).rejects.toMatchObject({ code: 'agent_unknown' })
  expect(site.roster.all).toEqual([])
})

test('a client without the subprotocol gets no challenge', async () => {
  const socket = site.dial(['chat'])
  await closed(socket)
  expect(site.roster.all).toEqual([])
})

test('a message larger than allowed, a text message and bytes that are no HTTP/2 each end the tunnel', async () => {
  for (const sent of [Buffer.alloc(largestMessage + 1), 'text', Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(20))]) {
    const socket = site.dial()
    await site.signIn(site.enrol(), socket)
    socket.send(sent)
    await closed(socket)
    await expect.poll(() => site.roster.all).toEqual([])
  }
})

/** Signs in, and serves streams as a hostile agent likes. */
async function hostile(serve: (session: ReturnType<typeof beginServerSession>) => void): Promise<void> {
  const { stream } = await site.signIn(site.enrol())
  const session = beginServerSession(stream)
  session.on('error', () => {})
  serve(session)
  await expect.poll(() => site.roster.all.length).toBe(1)
}

test('a hostile agent can only fail the calls that go through it', async () => {
  await hostile((session) => {
    let count = 0
    session.on('stream', (stream) => {
      stream.on('error', () => {})
      const answers = [
        { ':status': 200 },
        ...['yesterday', '-1', 'NaN', '1e308', '0x10', '', ' 1', '9'.repeat(16)].map((clock) => ({ ':status': 200, 'tocsin-clock': clock })),
        { ':status': 403, 'tocsin-error': 'not_allowed' },
        { ':status': 502, 'tocsin-error': `${'<script>'.repeat(100)}` },
        { ':status': 101 },
      ]
      const answer = answers[count++]
      if (answer && answer[':status'] !== 101) stream.respond(answer)
      else stream.close(11)
    })
  })
  const open = (): Promise<unknown> => site.route(plant).open('crm.example.com', 443)
  for (const code of [...Array(9).fill('network'), 'agent_refused', 'network', 'agent_offline']) await expect(open()).rejects.toMatchObject({ code })
  expect(site.online.status().lastError?.message.length).toBeLessThan(300)
})

test('an agent that never answers fails a call in time', async () => {
  await hostile(() => {})
  const opening = site.route(plant).open('crm.example.com', 443)
  opening.catch(() => {})
  await expect.poll(() => site.online.streams).toBe(1)
  site.clock.advance(9_000)
  await expect.poll(() => site.online.status().roundTrip).not.toBeNull()
  site.clock.advance(3_000)
  await expect(opening).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('ETIMEDOUT') })
  await expect.poll(() => site.online.streams).toBe(0)
})

test('one tunnel carries a limited number of streams, and the next call says so', async () => {
  await site.agent([target.entry])
  const route = site.route(plant)
  const streams = await Promise.all(Array.from({ length: mostStreams }, () => route.open('127.0.0.1', target.port)))
  await expect(route.open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_busy' })
  streams[0]?.destroy()
  await expect.poll(() => site.online.streams).toBe(mostStreams - 1)
  await route.open('127.0.0.1', target.port)
})

/** A real agent. The test plays the runtime that it connects to. */
function hostileRuntime(allow: readonly string[]) {
  const [near, far] = duplexPair()
  const tunnel = serveTunnel(near, { allow: createAllowList(allow), clock: site.clock, uptime: () => 1, told: () => {} })
  const session = connect('http://agent.invalid', { createConnection: () => far })
  session.on('error', () => {})
  return { tunnel, session, far }
}

test('an agent serves nothing but connections to allowed targets, and at most so many', async () => {
  const { session } = hostileRuntime([target.entry])
  const ask = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve) => {
      const stream = session.request(headers, { endStream: false })
      stream.on('response', (answer) => resolve(Number(answer[':status'])))
      stream.on('error', () => resolve(0))
    })
  expect(await ask({ ':method': 'GET', ':path': '/etc/passwd', ':scheme': 'file', ':authority': target.entry })).toBe(400)
  expect(await ask({ ':method': 'CONNECT', ':authority': 'nonsense' })).toBe(400)
  expect(await ask({ ':method': 'CONNECT', ':authority': '127.0.0.1:99999' })).toBe(400)
  expect(await ask({ ':method': 'CONNECT', ':authority': '127.0.0.1:1' })).toBe(403)
  for (let count = 0; count < mostStreams + 20; count++) void ask({ ':method': 'CONNECT', ':authority': target.entry })
  await expect.poll(() => target.sockets.length).toBe(mostStreams)
  session.destroy()
})

test('an agent that gets garbage instead of HTTP/2 ends the tunnel', async () => {
  const [near, far] = duplexPair()
  const tunnel = serveTunnel(near, { allow: createAllowList([target.entry]), clock: site.clock, uptime: () => 1, told: () => {} })
  far.on('error', () => {})
  far.resume()
  far.write('not HTTP/2 at all, whatever it may be'.repeat(10))
  await tunnel.ended
})

test('the stream of a WebSocket divides and joins messages without losing a byte', async () => {
  const sent: Buffer[] = []
  const socket = {
    on: () => {},
    resume: () => {},
    terminate: () => {},
    close: () => {},
    send: (data: Buffer, done?: () => void) => {
      sent.push(data)
      done?.()
    },
  }
  const stream = new SocketStream(socket as unknown as WebSocket)
  stream.cork()
  stream.write(Buffer.alloc(10, 'a'))
  stream.write(Buffer.alloc(largestMessage, 'b'))
  stream.write(Buffer.alloc(5, 'c'))
  stream.uncork()
  expect(sent.map(({ length }) => length)).toEqual([largestMessage, 15])
  expect(Buffer.concat(sent).toString()).toBe(`${'a'.repeat(10)}${'b'.repeat(largestMessage)}${'c'.repeat(5)}`)
})
