import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { lookup } from 'node:dns'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { systemIds } from '../../../runtime/config/index.ts'
import { type AgentId, asId, type Millis } from '../../../runtime/domain/index.ts'
import type { Route } from '../../../runtime/egress/index.ts'
import { createAllowList, Names, newShare, type Share, type SignedIn, serveTunnel, signIn, type Tunnel } from '../../../runtime/relay/agent/index.ts'
import { Ways } from '../../../runtime/relay/hub/ways.ts'
import { type Admission, type AgentName, Doorway, noOthers, OnlineAgent, Roster } from '../../../runtime/relay/index.ts'
import { protocol, publicKeyOf } from '../../../runtime/relay/link/index.ts'
import { Neighbours, secretOf } from '../../../runtime/relay/neighbours/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'

/** The name of the agents of a site, unless a test says otherwise. */
export const plant: AgentName = { organization: null, name: 'plant' }

interface Agent {
  readonly tunnel: Tunnel
  readonly socket: WebSocket
  /** Lines `<host>:<port> <outcome>`. */
  readonly log: string[]
}

/** The runtime's end of tunnels on a port of this machine, and agents that connect to it. */
export class Site {
  readonly clock = new ManualClock()
  readonly roster = new Roster()
  /** What the agents' machines say how long they have been up. */
  uptime: Millis = 5_000
  /** How the agents look up names. */
  names = new Names(lookup)
  /** From where its clients connect. */
  address = '192.0.2.7'
  readonly #known = new Map<string, AgentName & { readonly id: AgentId }>()
  readonly #server: Server = createServer()
  readonly #doorway = new Doorway({
    clock: this.clock,
    ids: systemIds,
    logger: createLogger({ level: 'silent' }),
    version: '9.9.9',
    identify: async ({ publicKey }): Promise<Admission> => {
      const agent = this.#known.get(publicKey)
      return agent ? { ok: true, agent } : { ok: false, code: 'agent_unknown', message: 'nobody knows this key' }
    },
    admitted: (agent) => this.roster.add(agent),
    neighbours: null,
  })
  readonly #ways = new Ways(this.roster, new Neighbours({ directory: noOthers, secret: secretOf('x'), clock: this.clock, ids: systemIds }))
  readonly #sockets: WebSocket[] = []

  async open(): Promise<void> {
    this.#server.on('upgrade', (request, socket, head) => this.#doorway.receive(request, socket, head, this.address))
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate()
    this.#doorway.close()
    for (const agent of this.roster.all) agent.cut()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Returns the route through the agents of a name. */
  route(name: AgentName): Route {
    return this.#ways.route(name)
  }

  /** Makes a key that the runtime knows. */
  enrol(name: AgentName = plant): KeyObject {
    const { privateKey } = generateKeyPairSync('ed25519')
    this.#known.set(publicKeyOf(privateKey), { ...name, id: asId<AgentId>(systemIds.uuid()) })
    return privateKey
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Opens a WebSocket to the runtime, as an agent or an attacker does. */
  dial(offered: readonly string[] = [protocol]): WebSocket {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/`, [...offered], { perMessageDeflate: false })
    socket.on('error', () => {})
    this.#sockets.push(socket)
    return socket
  }

  /** Signs in. @throws SignInRefused */
  signIn(privateKey: KeyObject, socket = this.dial()): Promise<SignedIn> {
    return signIn(socket, { privateKey, token: null, version: '1.2.3' })
  }

  /** Connects an agent, and waits until the runtime counts on it. */
  agent(allow: readonly string[], name: AgentName = plant): Promise<Agent> {
    return this.tunnel(allow, this.enrol(name), newShare())
  }

  /** The same for one tunnel of an agent. @param share that of its other tunnels */
  async tunnel(allow: readonly string[], key: KeyObject, share: Share): Promise<Agent> {
    const before = this.roster.all.length
    const socket = this.dial()
    const { wire } = await this.signIn(key, socket)
    const log: string[] = []
    const told = ({ host, port }: { host: string; port: number }, outcome: string): void => void log.push(`${host}:${port} ${outcome}`)
    const deps = { allow: createAllowList(allow), names: this.names, clock: this.clock, uptime: () => this.uptime, told }
    const tunnel = serveTunnel(wire, deps, share)
    while (this.roster.all.length === before) await new Promise(setImmediate)
    return { tunnel, socket, log }
  }

  /** Returns the only agent that is connected. */
  get online(): OnlineAgent {
    const [agent] = this.roster.all
    if (!(agent instanceof OnlineAgent)) throw new Error('no agent is connected')
    return agent
  }
}
