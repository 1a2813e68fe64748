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
import { greetNeighbour, neighbourProtocol } from './proof.ts'
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

/** Reaches the agents of the other processes. Has at most one tunnel to each process. */
export class Neighbours {
  readonly #deps: NeighboursDeps
  readonly #tunnels = new Map<string, Promise<TunnelClient>>()
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
        } else if (error.code !== 'agent_offline') failures.add(address, error)
        // Otherwise the agent may have gone to another process meanwhile.
      }
    }
    return null
  }

  close(): void {
    this.#closed = true
    for (const tunnel of this.#tunnels.values()) tunnel.then((one) => one.cut()).catch(() => {})
  }

  #notices(): Promise<readonly Notice[]> {
    const now = performance.now()
    if (this.#known === null || now - this.#known.at > fresh) this.#known = { at: now, notices: this.#deps.directory.others() }
    return this.#known.notices
  }

  /** @throws TunnelLost */
  async #tunnelTo(address: string): Promise<TunnelClient> {
    const standing = await this.#tunnels.get(address)?.catch(() => null)
    if (standing && !standing.draining) return standing
    const dialing = this.#dial(address)
    this.#tunnels.set(address, dialing)
    const forget = (): void => {
      if (this.#tunnels.get(address) === dialing) this.#tunnels.delete(address)
    }
    dialing.then(({ gone }) => gone.then(forget), forget)
    return dialing
  }

  async #dial(address: string): Promise<TunnelClient> {
    if (this.#closed) throw new TunnelLost()
    const { secret, ids, clock } = this.#deps
    const url = new URL(tunnelPath, address)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url, [neighbourProtocol], { perMessageDeflate: false, maxPayload: largestMessage, handshakeTimeout: dialTime })
    socket.on('error', () => {})
    const cancel = clock.after(dialTime, () => socket.terminate())
    try {
      return new TunnelClient(await greetNeighbour(socket, { secret, address }, () => ids.secret(32)), clock)
    } catch {
      socket.terminate()
      throw new TunnelLost()
    } finally {
      cancel()
    }
  }
}
