import { WebSocket } from 'ws'
import type { Clock, Ids } from '../../domain/index.ts'
import { RouteFailed, type RouteStream } from '../../egress/index.ts'
import { AgentStream } from '../hub/agent-stream.ts'
import type { Failures } from '../hub/failures.ts'
import type { AgentStatus, Wanted } from '../hub/identity.ts'
import { fits } from '../hub/roster.ts'
import { TunnelClient } from '../hub/tunnel-client.ts'
import { largestMessage, TunnelLost, tunnelPath } from '../link/index.ts'
import type { Directory, Notice } from './directory.ts'
import { greetNeighbour, neighbourProtocols } from './proof.ts'
import { moreOf } from './wanted.ts'

const dialTime = 5_000
/** How old the knowledge of the other processes may be. */
const fresh = 500
/** How many processes are tried for one call. Normally, the first has the agent. */
const mostTries = 4

interface NeighboursDeps {
  readonly directory: Directory
  readonly secret: Buffer
  readonly clock: Clock
  readonly ids: Ids
}

/** The way to a process. All calls that come while it is being dialed wait for the same tunnel, and fail together if there is none. */
interface Way {
  readonly dialing: Promise<TunnelClient>
  /** Null: not open yet. */
  tunnel: TunnelClient | null
}

/** Reaches the agents of the other processes. Has one tunnel to each process, and opens another one when that takes no more streams. */
export class Neighbours {
  readonly #deps: NeighboursDeps
  /** By address. */
  readonly #ways = new Map<string, Way>()
  /** All that are open, also those whose streams only end. */
  readonly #open = new Set<TunnelClient>()
  #known: { readonly at: number; readonly notices: Promise<readonly Notice[]> } | null = null
  #closed = false

  constructor(deps: NeighboursDeps) {
    this.#deps = deps
  }

  /** Returns what the agent does at other processes. */
  async statusesOf(id: Wanted['id']): Promise<readonly AgentStatus[]> {
    const notices = await this.#notices()
    return notices.flatMap(({ agents }) => agents.filter(({ agent }) => agent.id === id).map(({ status }) => status))
  }

  /** Opens a connection at an agent of another process. Returns null if none could: `failures` has what each process said. */
  async open(to: Wanted, { host, port }: { readonly host: string; readonly port: number }, failures: Failures): Promise<RouteStream | null> {
    const able = (await this.#notices()).filter(({ agents }) => agents.some(({ agent, status }) => !status.draining && fits(agent, to)))
    for (const { address } of able.slice(0, mostTries)) {
      try {
        const tunnel = await this.#tunnelTo(address)
        const connected = await tunnel.connect({ host, port, agent: to.name, more: moreOf(to) })
        return new AgentStream(connected, this.#deps.clock, { sent: 0, received: 0 })
      } catch (error) {
        if (!(error instanceof RouteFailed)) {
          if (!(error instanceof TunnelLost)) throw error
        } else if (error.code !== 'agent_offline') failures.addOfProcess(error)
        // Otherwise the agent may have gone to another process meanwhile.
      }
    }
    return null
  }

  close(): void {
    this.#closed = true
    for (const tunnel of this.#open) tunnel.cut()
  }

  #notices(): Promise<readonly Notice[]> {
    const now = performance.now()
    if (this.#known === null || now - this.#known.at > fresh) this.#known = { at: now, notices: this.#deps.directory.others() }
    return this.#known.notices
  }

  /** Looks and dials in one step: callers that come at the same time find what the first one has begun. @throws TunnelLost */
  #tunnelTo(address: string): Promise<TunnelClient> {
    const standing = this.#ways.get(address)
    if (standing && !standing.tunnel?.draining) return standing.dialing
    const way: Way = { dialing: this.#dial(address), tunnel: null }
    this.#ways.set(address, way)
    const forget = (): void => {
      if (this.#ways.get(address) === way) this.#ways.delete(address)
    }
    way.dialing.then((tunnel) => {
      way.tunnel = tunnel
      void tunnel.gone.then(forget)
    }, forget)
    return way.dialing
  }

  async #dial(address: string): Promise<TunnelClient> {
    if (this.#closed) throw new TunnelLost()
    const { secret, ids, clock } = this.#deps
    const url = new URL(tunnelPath, address)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url, [...neighbourProtocols], { perMessageDeflate: false, maxPayload: largestMessage, handshakeTimeout: dialTime })
    socket.on('error', () => {})
    const cancel = clock.after(dialTime, () => socket.terminate())
    try {
      const { wire, advised } = await greetNeighbour(socket, { secret, address }, () => ids.secret(32))
      return this.#keep(new TunnelClient(wire, clock, { advised }))
    } catch {
      socket.terminate()
      throw new TunnelLost()
    } finally {
      cancel()
    }
  }

  #keep(tunnel: TunnelClient): TunnelClient {
    this.#open.add(tunnel)
    void tunnel.gone.then(() => this.#open.delete(tunnel))
    // This process may have closed its tunnels meanwhile.
    if (this.#closed) tunnel.cut()
    return tunnel
  }
}
