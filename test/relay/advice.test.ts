import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { systemIds } from '../../runtime/config/index.ts'
import { type AgentId, asId, systemScope } from '../../runtime/domain/index.ts'
import { RouteFailed, type RouteStream } from '../../runtime/egress/index.ts'
import { AgentStream, type Connected } from '../../runtime/relay/hub/agent-stream.ts'
import { TunnelClient } from '../../runtime/relay/hub/tunnel-client.ts'
import { Tunnel, tunnelPath, Wire, writeOpened } from '../../runtime/relay/link/index.ts'
import { secretOf, serveNeighbour, welcomeNeighbour } from '../../runtime/relay/neighbours/index.ts'
import { greetNeighbour } from '../../runtime/relay/neighbours/proof.ts'
import { moreOf } from '../../runtime/relay/neighbours/wanted.ts'
import { until } from '../support/until.ts'
import { eachInstallation, type Installation, routeOf } from './support/installation.ts'
import { socketPair } from './support/socket-pair.ts'

/* A process that calls through another one learns when its streams should end, as it does of an agent of its own. */

let site: Installation
eachInstallation((made) => {
  site = made
})

const secret = secretOf('shared')
const nonce = (): string => systemIds.secret(32)
const before = 'tocsin-neighbour.2'
const traffic = () => ({ sent: 0, received: 0 })
const destination = { host: '127.0.0.1', agent: 'plant', more: moreOf({ organization: null, name: 'plant', id: null }, 'last') }

/** Lets a second pass. A process reads what has come before it calls an agent silent. */
async function second(): Promise<void> {
  site.clock.advance(1_000)
  await new Promise(setImmediate)
}

/** Returns what a stream is told: `leaving` or `spare`. */
function heardBy(stream: RouteStream): readonly string[] {
  const heard: string[] = []
  for (const event of ['leaving', 'spare']) stream.on(event, () => heard.push(event))
  return heard
}

test('an agent that stops tells the connections of other processes, and lets open ones end', async () => {
  const [holder, worker] = [await site.member(), await site.member()]
  const { tunnel } = await holder.agent('plant', [site.target.entry])
  const stream = await site.opened(worker)
  const heard = heardBy(stream)
  tunnel.leave()
  await expect.poll(() => heard).toEqual(['leaving'])
  stream.end('the end of a call')
  expect((await buffer(stream)).toString()).toBe('the end of a call')
  await tunnel.gone
})

test('a write through another process to an agent that hangs makes idle connections end', async () => {
  const [holder, writer, other] = [await site.member(), await site.member(), await site.member()]
  const { id } = await holder.agent('plant', [site.target.entry])
  const [busy, idle] = [await site.opened(writer), await site.opened(other)]
  const sent = async (): Promise<number> => (await holder.relay.agents.get(systemScope, asId<AgentId>(id))).tunnels[0]?.sent ?? 0
  // What was asked when the streams were opened is answered.
  await second()
  busy.write('before')
  await expect.poll(() => site.target.heard).toBe('before')
  await until(() => busy.read())
  const heard = heardBy(idle)
  holder.sockets[0]?.pause()
  busy.write('a request')
  await expect.poll(sent).toBe('beforea request'.length)
  await second()
  await second()
  await expect.poll(() => heard).toEqual(['leaving'])
})

test('a stream of another process is told when others need its memory', async () => {
  const [near, far] = [await socketPair(), await socketPair()]
  const { clock } = site
  new Tunnel(new Wire(far.peer, far.connection), { opens: false, most: 1, asked: ({ accept }) => accept(writeOpened(1)), tooMany: '{}' }, clock)
  const agent = new TunnelClient(far.wire, clock, { advised: false })
  const carried: Connected[] = []
  const carry = async () => {
    const connected = await agent.connect({ ...destination, port: 1, silent: 'last' })
    carried.push(connected)
    return { connected, traffic: traffic() }
  }
  serveNeighbour({ wire: new Wire(near.peer, near.connection), advised: true }, carry, clock)
  const worker = new TunnelClient(near.wire, clock, { advised: true })
  const heard = heardBy(new AgentStream(await worker.connect({ ...destination, port: 1, silent: 'last' }), clock, traffic()))
  carried[0]?.channel.spare()
  await expect.poll(() => heard).toEqual(['spare'])
})

test('a process of the version before calls through this one, and is told nothing that it does not know', async () => {
  const holder = await site.member()
  const { tunnel } = await holder.agent('plant', [site.target.entry])
  const socket = new WebSocket(`${holder.url.replace('http', 'ws')}${tunnelPath}`, [before])
  const { wire, advised } = await greetNeighbour(socket, { secret, address: holder.url }, nonce)
  // It would end the tunnel.
  expect(advised).toBe(false)
  const worker = new TunnelClient(wire, site.clock, { advised })
  onTestFinished(() => worker.cut())
  const stream = new AgentStream(await worker.connect({ ...destination, port: site.target.port, silent: 'last' }), site.clock, traffic())
  tunnel.leave()
  await until(() =>
    routeOf(holder)
      .open('127.0.0.1', site.target.port)
      .then((one) => void one.destroy())
      .catch(({ code }) => code === 'agent_offline'),
  )
  stream.end('the end of a call')
  expect((await buffer(stream)).toString()).toBe('the end of a call')
})

test('this process calls through one of the version before', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => offered.has(before) && before })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  sockets.on('connection', async (socket, { socket: connection }) => {
    const neighbour = await welcomeNeighbour(socket, connection, { secret, address }, nonce)
    const busy = async (): Promise<never> => {
      throw new RouteFailed('agent_busy', 'It carries as many connections as it may.')
    }
    if (neighbour) serveNeighbour(neighbour, busy, site.clock)
  })
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  })
  const agent = { id: asId<AgentId>(systemIds.uuid()), organization: null, name: 'plant' }
  const figures = { streams: 0, opened: 0, sent: 0, received: 0, roundTrip: null, lastError: null }
  const status = { version: '1', since: 1, address: '192.0.2.8', draining: false, ...figures }
  site.told.set({}, { address, agents: [{ agent, status }] })
  await expect(routeOf(await site.member()).open('127.0.0.1', 1)).rejects.toMatchObject({ code: 'agent_busy' })
})
