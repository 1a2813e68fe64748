import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createAllowList, type SignedIn, serveTunnel, signIn, systemNames } from '../../runtime/relay/agent/index.ts'
import { protocol, readFrame } from '../../runtime/relay/link/index.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { closed } from './support/closed.ts'
import { socketPair } from './support/socket-pair.ts'
import { Target } from './support/target.ts'

/* Who takes the place of the platform: a proxy that inspects TLS, or who has its certificate. */

const challenge = JSON.stringify({ type: 'challenge', nonce: 'A'.repeat(43) })
const welcome = JSON.stringify({ type: 'welcome', name: 'plant', version: '1' })

/** Has an agent sign in at a platform that sends these messages, however the agent answers. */
async function signInAt(messages: readonly string[]): Promise<{ readonly heard: string[]; readonly outcome: Promise<SignedIn> }> {
  const heard: string[] = []
  const server: Server = createServer()
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('message', (data) => heard.push(String(data)))
    for (const message of messages) socket.send(message)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, [protocol])
  const gone = closed(socket)
  onTestFinished(async () => {
    socket.terminate()
    await gone
    sockets.close()
    server.closeAllConnections()
    server.close()
  })
  const { privateKey } = generateKeyPairSync('ed25519')
  return { heard, outcome: signIn(socket, { privateKey, token: 'tsa_once', version: '1' }) }
}

test('an agent answers one challenge, however many come', async () => {
  const { heard, outcome } = await signInAt(Array(1_000).fill(challenge))
  await expect(outcome).rejects.toThrow(/does not speak the protocol/)
  expect(heard.length).toBeLessThanOrEqual(1)
})

test('an agent serves nobody who has not asked for its signature', async () => {
  const { heard, outcome } = await signInAt([welcome])
  await expect(outcome).rejects.toThrow(/does not speak the protocol/)
  expect(heard).toEqual([])
})

test('an agent that answered the challenge and is welcome has signed in', async () => {
  const { heard, outcome } = await signInAt([challenge, welcome])
  expect(await outcome).toMatchObject({ name: 'plant', version: '1' })
  await expect.poll(() => heard).toEqual([expect.stringContaining('"token":"tsa_once"')])
})

test('connections that are given up as soon as they are asked for count until they are closed', async () => {
  const target = await new Target().open()
  onTestFinished(() => target.close())
  const { wire, peer } = await socketPair()
  const refused: string[] = []
  peer.on('message', (data: Buffer) => {
    const frame = readFrame(data)
    if (frame?.type === 'refused') refused.push(frame.text)
  })
  const allow = createAllowList([target.entry])
  const tunnel = serveTunnel(wire, { allow, names: systemNames, clock: new ManualClock(), uptime: () => 1, told: () => {} })
  // All of them are read before a socket can close.
  for (let stream = 1; stream <= 2_000; stream++) {
    tunnel.frame({ type: 'open', stream, text: JSON.stringify({ host: '127.0.0.1', port: target.port }) })
    tunnel.frame({ type: 'reset', stream })
  }
  await expect.poll(() => refused.length).toBe(2_000 - 512)
  expect(new Set(refused)).toEqual(new Set(['{"code":"agent_busy"}']))
  // Afterwards, there is room again.
  tunnel.frame({ type: 'open', stream: 2_001, text: JSON.stringify({ host: '127.0.0.1', port: target.port }) })
  await expect.poll(() => target.sockets.length).toBeGreaterThanOrEqual(1)
  expect(refused).toHaveLength(2_000 - 512)
})
