import { generateKeyPairSync } from 'node:crypto'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { createAllowList, serveTunnel, systemNames } from '../../runtime/relay/agent/index.ts'
import {
  type Frame,
  largestMessage,
  mostStreams,
  mostUnsent,
  propose,
  type Request,
  readFrame,
  requestWindow,
  Tunnel,
  Wire,
  writeFrame,
} from '../../runtime/relay/link/index.ts'
import { closed } from './support/closed.ts'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import { socketPair } from './support/socket-pair.ts'
import type { Target } from './support/target.ts'

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

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

const nothing = Buffer.alloc(0)
const data = (stream: number, bytes = nothing): Frame => ({ type: 'data', stream, until: null, bytes })

test.each([
  ['a message larger than allowed', Buffer.alloc(largestMessage + 1)],
  ['a text message', 'text'],
  ['a frame of an unknown type', Buffer.from([99, 0, 0, 0, 0])],
  ['half of a frame', Buffer.from([4, 0, 0])],
  ['a credit without a number', Buffer.from([6, 0, 0, 0, 1])],
  ['a request for a stream', writeFrame({ type: 'open', stream: 1, text: '{}' })],
  ['data of a stream that never was', writeFrame(data(7))],
  ['an answer to nothing', writeFrame({ type: 'opened', stream: 7, text: '{}' })],
  ['a very long answer', writeFrame({ type: 'refused', stream: 1, text: 'x'.repeat(5_000) })],
])('%s ends the tunnel', async (_what, sent) => {
  const socket = site.dial()
  await site.signIn(site.enrol(), socket)
  socket.send(sent)
  await closed(socket)
  await expect.poll(() => site.roster.all).toEqual([])
})

/** Signs in, and answers requests as a hostile agent likes. */
async function hostile(asked: (request: Request) => void): Promise<void> {
  const { wire } = await site.signIn(site.enrol())
  new Tunnel(wire, { opens: false, most: 1_000, asked, tooMany: '{}' }, site.clock)
  await expect.poll(() => site.roster.all.length).toBe(1)
}

test('a hostile agent can only fail the calls that go through it', async () => {
  let count = 0
  await hostile(({ accept, refuse, channel }) => {
    const answers = [
      () => accept('{}'),
      ...['"yesterday"', '-1', '1e308', '1.5', '""', 'null', '9'.repeat(16)].map((clock) => () => accept(`{"clock":${clock}}`)),
      () => accept('no JSON'),
      () => refuse('{"code":"not_allowed"}'),
      () => refuse(JSON.stringify({ code: '<script>'.repeat(100) })),
      () => refuse('no JSON'),
      () => channel.reset(),
    ]
    answers[count++]?.()
  })
  const open = (): Promise<unknown> => site.route(plant).open('crm.example.com', 443)
  for (let clock = 0; clock < 9; clock++)
    await expect(open()).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('its clock') })
  for (const code of ['agent_refused', 'network', 'network', 'agent_offline']) await expect(open()).rejects.toMatchObject({ code })
  expect(site.online.status().lastError?.message.length).toBeLessThan(300)
  expect(site.online.streams).toBe(0)
})

test.each([
  ['sends more than it may', (id: number) => Array.from({ length: 200 }, () => data(id, Buffer.alloc(16_000)))],
  ['sends after its end', (id: number) => [{ type: 'end', stream: id } as const, data(id, Buffer.alloc(1))]],
  ['gives far too much credit', (id: number) => [1, 2].map(() => ({ type: 'credit', stream: id, bytes: 2 ** 32 - 1 }) as const)],
  ['says that a stream should end, as only processes do', (id: number) => [{ type: 'leaving', stream: id } as const]],
])('an agent that %s loses its tunnel', async (_what, frames) => {
  const socket = site.dial()
  const { wire } = await site.signIn(site.enrol(), socket)
  new Tunnel(wire, { opens: false, most: 10, asked: ({ accept }) => accept('{"clock":1}'), tooMany: '{}' }, site.clock)
  await expect.poll(() => site.roster.all.length).toBe(1)
  const stream = await site.route(plant).open('crm.example.com', 443)
  const cut = new Promise((resolve) => stream.once('error', resolve))
  for (const frame of frames(1)) if (socket.readyState === socket.OPEN) socket.send(writeFrame(frame))
  expect(await cut).toMatchObject({ code: 'ECONNRESET' })
  await expect.poll(() => site.roster.all).toEqual([])
})

test('a host with a very long name fails its own call, and no other', async () => {
  await site.agent([target.entry])
  const stream = await site.route(plant).open('127.0.0.1', target.port)
  await expect(site.route(plant).open('x'.repeat(100_000), 443)).rejects.toMatchObject({ code: 'network' })
  stream.end('hello')
  expect(await text(stream)).toBe('hello')
})

test('an agent that never answers fails a call in time', async () => {
  await hostile(() => {})
  const opening = site.route(plant).open('crm.example.com', 443)
  opening.catch(() => {})
  await expect.poll(() => site.online.streams).toBe(1)
  // After a second, another agent would be asked. There is none.
  site.clock.advance(1_000)
  await expect.poll(() => site.online.status().opened).toBe(2)
  site.clock.advance(8_000)
  await expect.poll(() => site.online.status().roundTrip).not.toBeNull()
  site.clock.advance(4_000)
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
async function hostileRuntime() {
  const { wire, peer } = await socketPair()
  const heard: Frame[] = []
  peer.on('message', (message: Buffer) => heard.push(readFrame(message) as Frame))
  let uptime = 1
  const tunnel = serveTunnel(wire, {
    names: systemNames,
    allow: createAllowList([target.entry]),
    clock: site.clock,
    uptime: () => uptime++,
    told: () => {},
  })
  const say = (frame: Frame): void => peer.send(writeFrame(frame))
  const answerTo = async (stream: number): Promise<Frame> => {
    const ofIt = (frame: Frame): boolean => 'stream' in frame && frame.stream === stream
    await expect.poll(() => heard.some(ofIt)).toBe(true)
    return heard.find(ofIt) as Frame
  }
  const ask = (stream: number, host: unknown, port: unknown): void => say({ type: 'open', stream, text: JSON.stringify({ host, port }) })
  return { tunnel, peer, say, ask, answerTo, heard }
}

test('an agent serves nothing but connections to allowed targets, and at most so many', async () => {
  const { say, ask, answerTo } = await hostileRuntime()
  say({ type: 'open', stream: 1, text: 'no JSON' })
  for (const [at, [host, port]] of (
    [
      ['no host', 443],
      ['127.0.0.1', 99_999],
      ['127.0.0.1', '443'],
      [null, 1],
      ['2130706433', target.port],
      ['127.0.0.1', 1],
    ] as const
  ).entries())
    ask(at + 2, host, port)
  for (const stream of [1, 2, 3, 4, 5]) expect(await answerTo(stream)).toEqual({ type: 'refused', stream, text: '{"code":"malformed"}' })
  for (const stream of [6, 7]) expect(await answerTo(stream)).toEqual({ type: 'refused', stream, text: '{"code":"not_allowed"}' })
  for (let count = 0; count < mostStreams + 20; count++) ask(8 + count, '127.0.0.1', target.port)
  await expect.poll(() => target.sockets.length).toBe(mostStreams)
  expect(await answerTo(8 + mostStreams + 19)).toMatchObject({ type: 'refused', text: '{"code":"agent_busy"}' })
})

test('an agent ends the tunnel when the runtime sends more than it may, or uses a stream twice', async () => {
  const first = await hostileRuntime()
  first.ask(1, '127.0.0.1', target.port)
  await first.answerTo(1)
  for (const socket of target.sockets) socket.pause()
  for (let sent = 0; sent <= 100 * requestWindow.first; sent += 16_000) first.say(data(1, Buffer.alloc(16_000)))
  await first.tunnel.gone
  const second = await hostileRuntime()
  second.ask(1, '127.0.0.1', target.port)
  second.ask(1, '127.0.0.1', target.port)
  await second.tunnel.gone
  const third = await hostileRuntime()
  third.ask(1, '127.0.0.1', target.port)
  third.say(data(1, Buffer.from('before the answer')))
  await third.tunnel.gone
  expect(target.heard).not.toContain('before')
})

test.each([Number.NaN, Number.NEGATIVE_INFINITY, 0, -1])('an agent passes on nothing with the limit %d', async (until) => {
  const { say, ask, answerTo, heard } = await hostileRuntime()
  ask(1, '127.0.0.1', target.port)
  await answerTo(1)
  say({ type: 'data', stream: 1, until, bytes: Buffer.from('too late') })
  await expect.poll(() => heard.at(-1)).toEqual({ type: 'reset', stream: 1 })
  expect(target.heard).toBe('')
})

test('a peer that asks and asks, but reads no answer, is cut off', () => {
  let over = false
  const heard: ((data: Buffer, isBinary: boolean) => void)[] = []
  const socket = {
    on: (event: string, listener: () => void) => event === 'message' && heard.push(listener),
    terminate() {
      over = true
    },
  }
  // What is written waits for ever.
  const wire = new Wire(socket as unknown as WebSocket, new Duplex({ read() {}, write() {} }))
  // Not pings, whose number has a limit of its own.
  new Tunnel(wire, { opens: false, most: 0, asked() {}, tooMany: '{}' }, site.clock)
  for (let stream = 1; stream < mostUnsent / 5 && !over; stream++)
    for (const each of heard) each(writeFrame({ type: 'open', stream, text: '{}' }), true)
  expect(over).toBe(true)
})
