import { generateKeyPairSync } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { mostTunnels } from '../../runtime/relay/hub/roster.ts'
import { protocol } from '../../runtime/relay/link/index.ts'
import { closed } from './support/closed.ts'
import { eachTest } from './support/each-test.ts'
import type { Site } from './support/site.ts'
import type { Target } from './support/target.ts'

/* Anybody can knock. Nobody who does may keep agents out. */

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Asks for a WebSocket. */
const upgrade = [
  'GET / HTTP/1.1',
  'host: x',
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-protocol: ${protocol}`,
  `sec-websocket-key: ${'A'.repeat(22)}==`,
  '\r\n',
].join('\r\n')

/** Resolves when a socket has sent a text. */
const received = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve) => {
    let all = ''
    const came = (bytes: Buffer): void => {
      all += bytes.toString('latin1')
      if (!all.includes(text)) return
      socket.off('data', came)
      resolve()
    }
    socket.on('data', came)
  })

/** Resolves to the runtime's end of the next connection. */
const nextConnection = (): Promise<Socket> =>
  new Promise((resolve) => {
    const opened = (message: unknown): void => {
      unsubscribe('net.server.socket', opened)
      resolve((message as { readonly socket: Socket }).socket)
    }
    subscribe('net.server.socket', opened)
  })

const challenged = (socket: WebSocket): Promise<void> => new Promise((resolve) => socket.once('message', () => resolve()))

/** Opens connections that stay silent, from several addresses. */
async function silent(addresses: number): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let count = 0; count < addresses; count++) {
    site.address = `198.51.100.${count}`
    const some = Array.from({ length: 16 }, () => site.dial())
    await Promise.all(some.map(challenged))
    sockets.push(...some)
  }
  site.address = '192.0.2.7'
  return sockets
}

test('hundreds of agents behind one address may come back in the same moment, as far as they are served one after the other', async () => {
  for (let count = 0; count < 300; count++) await site.signIn(site.enrol())
  await expect.poll(() => site.roster.all.length).toBe(300)
})

test('a client that does not sign in is cut off in time', async () => {
  const waiting = await silent(1)
  site.clock.advance(10_000)
  await Promise.all(waiting.map(closed))
})

test('a flood of empty messages from somebody who has not signed in leaves the event loop to others in between', async () => {
  const accepted = nextConnection()
  const client = connect(site.port, '127.0.0.1')
  sockets.push(client)
  client.write(upgrade)
  await received(client, 'challenge')
  const flooded = await accepted
  const all = 500_000
  let [before, most] = [flooded.bytesRead, 0]
  const last = before + 6 * all
  client.write(Buffer.alloc(6 * all, Buffer.from([0x8a, 0x80, 0, 0, 0, 0])))
  while (before < last) {
    await turnOfLoop()
    most = Math.max(most, flooded.bytesRead - before)
    before = flooded.bytesRead
  }
  expect(most).toBeLessThan(400_000)
})

test('one address gets some of the places only', async () => {
  await silent(1)
  site.address = '198.51.100.0'
  await closed(site.dial())
  site.address = '192.0.2.7'
  await site.agent([target.entry])
})

test('all addresses of a /64 are one client', async () => {
  const some: WebSocket[] = []
  for (let count = 0; count < 16; count++) {
    site.address = `2001:db8:0:1::${count}`
    some.push(site.dial())
  }
  await Promise.all(some.map(challenged))
  site.address = '2001:db8:0:1:ffff::1'
  await closed(site.dial())
  // Another /64 is somebody else, and a mapped address is its IPv4 address.
  site.address = '2001:db8:0:2::1'
  await challenged(site.dial())
})

test('when silent clients have all places, the one that waited longest makes way for an agent', async () => {
  const waiting = await silent(4)
  // Not at once: they may be agents that are about to sign in.
  await closed(site.dial())
  site.clock.advance(1_000)
  const first = closed(waiting[0] as WebSocket)
  await site.agent([target.entry])
  await first
})

/** A client that sends garbage, and never answers the close. Resolves when it was refused. */
async function garbage(): Promise<void> {
  const socket = connect({ port: site.port, host: '127.0.0.1' }).on('error', () => {})
  sockets.push(socket)
  socket.write(upgrade)
  // The challenge comes after the answer of HTTP. The first bytes may have both.
  await received(socket, 'challenge')
  // A masked text message that is no sign-in.
  socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]))
  await received(socket, 'malformed')
}

test('refused clients that never close keep no agent out', async () => {
  for (let count = 0; count < 4; count++) {
    site.address = `198.51.100.${count}`
    for (let one = 0; one < 16; one++) await garbage()
  }
  // From an address of theirs, and from another one.
  await site.agent([target.entry], { organization: null, name: 'first' })
  site.address = '192.0.2.7'
  for (let one = 0; one < 3; one++) await site.agent([target.entry])
})

test('an address that fails to sign in again and again is not heard for a while', async () => {
  const stranger = generateKeyPairSync('ed25519').privateKey
  for (let count = 0; count < 50; count++) await expect(site.signIn(stranger)).rejects.toThrow()
  await expect(site.signIn(site.enrol())).rejects.toThrow(/503/)
  site.clock.advance(1_000)
  await site.agent([target.entry])
})

test('an agent that signs in again and again has to wait, and has a few tunnels only', async () => {
  const key = site.enrol()
  for (let count = 0; count < 10; count++) await site.signIn(key)
  await expect(site.signIn(key)).rejects.toMatchObject({ code: 'unavailable' })
  await expect.poll(() => site.roster.all.length).toBe(mostTunnels)
  site.clock.advance(2_000)
  await site.signIn(key)
})

test('a refused client that closes nothing loses its connection', async () => {
  await silent(1)
  site.address = '198.51.100.0'
  const socket = connect({ port: site.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write(upgrade)
  socket.resume()
  await new Promise((resolve) => socket.once('end', resolve))
  // The server has no connection left that only this client could end: what it writes is answered with a reset.
  const reset = new Promise((resolve) => socket.once('error', resolve))
  const cancel = setInterval(() => socket.write('still here'), 1)
  expect(await reset).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) })
  clearInterval(cancel)
})
