import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { systemIds } from '../../../runtime/config/index.ts'
import { asId, type Clock, type Millis, type Principal, type PrincipalId } from '../../../runtime/domain/index.ts'
import { NamedHints } from '../../../runtime/hints/index.ts'
import { createAllowList, serveTunnel, signIn, systemNames, type Tunnel } from '../../../runtime/relay/agent/index.ts'
import { type Directory, Relay, tunnelPath } from '../../../runtime/relay/index.ts'
import { protocol } from '../../../runtime/relay/link/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'

const operator: Principal = {
  id: asId<PrincipalId>('p'),
  name: 'operator',
  permissions: ['admin'],
  organizations: 'all',
  createdAt: 1,
  createdBy: null,
}

interface MemberParts {
  readonly store: Store
  readonly directory: Directory
  readonly clock: Clock
  readonly shared?: string
  readonly revocations?: NamedHints
}

/** One process of an installation, as far as remote agents are concerned. */
export class Member {
  readonly relay: Relay
  readonly #server: Server = createServer()
  readonly #tunnels: Tunnel[] = []
  /** The agents' ends of the tunnels. */
  readonly sockets: WebSocket[] = []
  /** What each WebSocket that was opened to this process offers: its subprotocols. */
  readonly dialed: string[] = []
  readonly #clock: Clock
  readonly #revocations: NamedHints
  /** What the agents' machines say how long they have been up. */
  uptime: Millis = 5_000

  constructor({ store, directory, clock, shared = 'shared', revocations = new NamedHints(null, clock) }: MemberParts) {
    this.#clock = clock
    this.#revocations = revocations
    const logger = createLogger({ level: 'silent' })
    this.relay = new Relay({ store, directory, clock, shared, revocations, ids: systemIds, logger, version: '1' })
  }

  async open(): Promise<this> {
    this.#server.on('upgrade', (request, socket, head) => {
      this.dialed.push(request.headers['sec-websocket-protocol'] ?? '')
      this.relay.receive(request, socket, head, '192.0.2.7')
    })
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.relay.listensAt(this.url)
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Creates an agent of the operator, and connects it to this process. */
  async agent(name: string, allow: readonly string[]): Promise<{ readonly tunnel: Tunnel; readonly key: KeyObject; readonly id: string }> {
    const { token, view } = await this.relay.agents.create(operator, { name, organizationCode: null })
    const key = generateKeyPairSync('ed25519').privateKey
    return { tunnel: await this.connect(key, token, allow), key, id: view.agent.id }
  }

  /** Connects an agent to this process. */
  async connect(key: KeyObject, token: string | null, allow: readonly string[]): Promise<Tunnel> {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}${tunnelPath}`, [protocol])
    this.sockets.push(socket)
    const { wire } = await signIn(socket, { privateKey: key, token, version: '1.2.3' })
    const tunnel = serveTunnel(wire, {
      names: systemNames,
      allow: createAllowList(allow),
      clock: this.#clock,
      uptime: () => this.uptime,
      told: () => {},
    })
    this.#tunnels.push(tunnel)
    return tunnel
  }

  async close(): Promise<void> {
    for (const tunnel of this.#tunnels) tunnel.cut()
    this.relay.close()
    this.#revocations.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
