import type { Clock, Millis } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import { mostStreams, type Wire } from '../link/index.ts'
import { AgentStream, type Connected, type Traffic } from './agent-stream.ts'
import type { AgentStatus, Identity, Silent } from './identity.ts'
import { TunnelClient } from './tunnel-client.ts'

export interface Arrival {
  readonly agent: Identity
  readonly version: string
  readonly address: string
}

/** One tunnel of an agent to this process. */
export class OnlineAgent {
  readonly arrival: Arrival
  readonly #tunnel: TunnelClient
  readonly #clock: Clock
  readonly #since: Millis
  readonly traffic: Traffic = { sent: 0, received: 0 }
  #opened = 0
  #lastError: AgentStatus['lastError'] = null

  constructor(wire: Wire, arrival: Arrival, clock: Clock) {
    this.arrival = arrival
    this.#clock = clock
    this.#since = clock.now()
    this.#tunnel = new TunnelClient(wire, clock, { advised: false })
  }

  /** Resolves when its tunnel has ended. */
  get gone(): Promise<void> {
    return this.#tunnel.gone
  }

  get draining(): boolean {
    return this.#tunnel.draining
  }

  /** Whether it has sent nothing for a while, although somebody waits for it. It may hang, or its network. */
  get silent(): boolean {
    return this.#tunnel.silent
  }

  get streams(): number {
    return this.#tunnel.streams
  }

  /** Looks whether it answers. */
  expect(): void {
    this.#tunnel.expect()
  }

  status(): AgentStatus {
    const { version, address } = this.arrival
    const { draining, streams, roundTrip } = this.#tunnel
    const [since, opened, lastError] = [this.#since, this.#opened, this.#lastError]
    return { version, since, address, draining, streams, opened, ...this.traffic, roundTrip, lastError }
  }

  /**
   * Opens a TCP connection at the agent.
   * @param silent whether to go on waiting if the agent becomes silent
   * @throws RouteFailed, TunnelLost
   */
  async open(host: string, port: number, silent: Silent): Promise<AgentStream> {
    return new AgentStream(await this.connect(host, port, silent), this.#clock, this.traffic)
  }

  /** Like `open`, for a caller that passes the bytes of the stream on as they are. @throws RouteFailed, TunnelLost */
  async connect(host: string, port: number, silent: Silent): Promise<Connected> {
    const { name } = this.arrival.agent
    try {
      if (this.streams >= mostStreams)
        throw new RouteFailed('agent_busy', `The remote agent ${name} carries ${mostStreams} connections, the most that it may.`)
      this.#opened += 1
      return await this.#tunnel.connect({ host, port, agent: name, silent })
    } catch (error) {
      if (error instanceof RouteFailed) this.#lastError = { at: this.#clock.now(), message: error.message }
      throw error
    }
  }

  /** Asks the agent to connect elsewhere. Streams that are open go on. */
  leave(): void {
    this.#tunnel.leave()
  }

  /** Ends the tunnel and all of its streams at once. */
  cut(): void {
    this.#tunnel.cut()
  }
}
