import { WebSocket } from 'ws'
import type { Clock, Ids } from '../../domain/index.ts'
import { RouteFailed, type RouteStream } from '../../egress/index.ts'
import { AgentStream } from '../hub/agent-stream.ts'
import type { Failures } from '../hub/failures.ts'
import type { AgentStatus, Silent, Wanted } from '../hub/identity.ts'
import { fits } from '../hub/roster.ts'
import { TunnelClient } from '../hub/tunnel-client.ts'
import { largestMessage, TunnelLost, tunnelPath } from '../link/index.ts'
import type { Directory, Notice } from './directory.ts'
import { greetNeighbour, neighbourProtocols } from './proof.ts'
import { Tunnels } from './tunnels.ts'
import { moreOf } from './wanted.ts'

const dialTime = 5_000
/** How old the knowledge of the other processes may be. */
const fresh = 500
/** How many processes are asked for one call. Normally, the first has the agent. */
const mostAsked = 4

interface NeighboursDeps {
  readonly directory: Directory
  readonly secret: Buffer
  readonly clock: Clock
  readonly ids: Ids
}

/** Reaches the agents of the other processes, each through the process that has its tunnel. */
export class Neighbours {
  readonly #deps: NeighboursDeps
  readonly #tunnels = new Tunnels((address) => this.#dial(address))
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

  /**
   * Opens a connection at an agent of another process. Returns null if none could: `failures` has what each process said.
   * @param silent whether agents that are silent at the moment come last, or are not asked; and processes, too
   */
  async open(
    to: Wanted,
    { host, port }: { readonly host: string; readonly port: number },
    failures: Failures,
    silent: Silent,
  ): Promise<RouteStream | null> {
    const left = await this.#agentsByAddress(to, failures)
    for (let asked = 0; asked < mostAsked; asked++) {
      await this.#tunnels.ready(left, failures.processes)
      // Chosen and used in one step, so that the next choice counts the stream.
      const next = this.#tunnels.best(left, silent)
      if (next === null) return null
      left.delete(next.address)
      try {
        const connected = await next.tunnel.connect({ host, port, agent: to.name, more: moreOf(to, silent), silent })
        return new AgentStream(connected, this.#deps.clock, { sent: 0, received: 0 })
      } catch (error) {
        if (!(error instanceof RouteFailed)) {
          if (!(error instanceof TunnelLost)) throw error
        } else if (error.code !== 'agent_offline') failures.addOfProcess(next.address, error)
        // Otherwise the agent may have gone to another process meanwhile, or does not answer.
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

  /** Returns how many agents that would do each process has, by its address. */
  async #agentsByAddress(to: Wanted, failures: Failures): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const { address, agents } of await this.#notices()) {
      const able = agents.filter(({ agent, status }) => !status.draining && fits(agent, to)).length
      if (able > 0 && !failures.processes.has(address)) found.set(address, able)
    }
    return found
  }

  /** @throws TunnelLost */
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
