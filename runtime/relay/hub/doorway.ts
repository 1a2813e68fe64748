import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock, Ids } from '../../domain/index.ts'
import { networkOf } from '../../formats/index.ts'
import { type Logger, storeFailures } from '../../telemetry/index.ts'
import { largestMessage, parseSignIn, protocol, proves, type Refusal, readInTurns, type Welcome, Wire } from '../link/index.ts'
import { type NeighbourWire, neighbourProtocols, welcomeNeighbour } from '../neighbours/index.ts'
import type { Admission, Identify } from './identity.ts'
import { OnlineAgent } from './online-agent.ts'
import { Pace } from './pace.ts'
import { WaitingRoom } from './waiting-room.ts'

/** How often one client may fail to sign in: an address, or a /64 of IPv6. Agents that were revoked try again each minute, and many may share an address. */
const failures = { burst: 50, every: 250 }
/** How often one agent may sign in. Each time costs a write to the store. */
const signIns = { burst: 10, every: 2_000 }

export interface DoorwayDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly version: string
  readonly identify: Identify
  /** Takes over an agent that has signed in. */
  readonly admitted: (agent: OnlineAgent) => void
  /** The other processes of this installation. Null: there are none. */
  readonly neighbours: {
    readonly secret: Buffer
    /** Where they reach this process. Null: not known yet. */
    readonly address: () => string | null
    /** Takes over the tunnel of another process. */
    readonly admitted: (neighbour: NeighbourWire) => void
  } | null
}

/** Lets agents in: takes their WebSockets, and has them prove who they are. */
export class Doorway {
  readonly #deps: DoorwayDeps
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    // What goes through a tunnel is encrypted, and does not become smaller.
    perMessageDeflate: false,
    handleProtocols: (offered) => [protocol, ...neighbourProtocols].find((one) => offered.has(one)) ?? false,
  })
  readonly #waiting: WaitingRoom
  readonly #failures: Pace
  readonly #signIns: Pace
  #closed = false

  constructor(deps: DoorwayDeps) {
    this.#deps = deps
    this.#waiting = new WaitingRoom(deps.clock)
    this.#failures = new Pace(deps.clock, failures)
    this.#signIns = new Pace(deps.clock, signIns)
  }

  /** Takes over the connection of an HTTP request that wants to become a WebSocket. @param address the client's address */
  receive(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    const client = networkOf(address)
    socket.on('error', () => {})
    if (this.#closed || !this.#failures.allows(client) || !this.#waiting.hasPlace(client)) {
      // The other end may never close its side.
      socket.once('finish', () => socket.destroy())
      socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => void this.#greet(opened, socket, address))
  }

  /** Lets nobody in any more. */
  close(): void {
    this.#closed = true
    this.#waiting.clear()
    this.#server.close()
  }

  async #greet(socket: WebSocket, connection: Duplex, address: string): Promise<void> {
    const client = networkOf(address)
    const seat = this.#waiting.enter(socket, client)
    readInTurns(socket)
    socket.on('error', () => {})
    try {
      if (await this.#let(socket, connection, address)) return seat.callIn()
      this.#failures.take(client)
      // It counts until it is closed: an end that does not answer the closing handshake costs memory, too. But it makes way for others.
      seat.refuse()
      socket.close(1008)
    } catch (error) {
      storeFailures(this.#deps.logger, this.#deps.clock).warn(error, {}, 'a remote agent could not sign in')
      seat.refuse()
      refuse(socket, 'unavailable', 'The platform cannot check agents at the moment.')
    }
  }

  /** Returns whether the other end is let in. */
  async #let(socket: WebSocket, connection: Duplex, address: string): Promise<boolean> {
    const { neighbours, ids, admitted } = this.#deps
    if (socket.protocol === protocol) {
      const agent = await this.#admit(socket, connection, address)
      if (agent !== null && this.#closed) agent.cut()
      else if (agent !== null) admitted(agent)
      return agent !== null
    }
    const own = neighbourProtocols.includes(socket.protocol) ? (neighbours?.address() ?? null) : null
    if (!neighbours || own === null) return false
    const neighbour = await welcomeNeighbour(socket, connection, { secret: neighbours.secret, address: own }, () => ids.secret(32))
    if (neighbour !== null && this.#closed) neighbour.wire.cut()
    else if (neighbour !== null) neighbours.admitted(neighbour)
    return neighbour !== null
  }

  /** Returns null if the agent was refused. */
  async #admit(socket: WebSocket, connection: Duplex, address: string): Promise<OnlineAgent | null> {
    const { ids, clock, version, identify } = this.#deps
    const nonce = ids.secret(32)
    const message = nextMessage(socket)
    socket.send(JSON.stringify({ type: 'challenge', nonce }))
    const received = await message
    const signIn = received && parseSignIn(received)
    if (!signIn || !proves(signIn, nonce)) {
      refuse(socket, 'malformed', 'The sign-in was not understood, or its signature is wrong.')
      return null
    }
    if (!this.#signIns.take(signIn.publicKey)) {
      refuse(socket, 'unavailable', 'This agent connects too often. Does another one use its key?')
      return null
    }
    const { signature: _proved, ...proved } = signIn
    const admission: Admission = await identify(proved)
    if (!admission.ok) {
      refuse(socket, admission.code, admission.message)
      return null
    }
    if (socket.readyState !== socket.OPEN) return null
    const welcome: Welcome = { type: 'welcome', name: admission.agent.name, version }
    socket.send(JSON.stringify(welcome))
    return new OnlineAgent(new Wire(socket, connection), { agent: admission.agent, version: signIn.version, address }, clock)
  }
}

function refuse(socket: WebSocket, code: Refusal['code'], message: string): void {
  const refusal: Refusal = { type: 'refused', code, message }
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(refusal))
  socket.close(1008)
}

/** Resolves to the next text message. Null: the socket was closed, or it sent something else. */
function nextMessage(socket: WebSocket): Promise<Buffer | null> {
  return new Promise((resolve) => {
    socket.once('message', (data: Buffer, isBinary: boolean) => resolve(isBinary ? null : data))
    socket.once('close', () => resolve(null))
  })
}
