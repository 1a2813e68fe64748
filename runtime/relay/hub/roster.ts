import type { AgentId } from '../../domain/index.ts'
import { type Route, RouteFailed, type RouteStream } from '../../egress/index.ts'
import { type AgentName, type AgentStatus, type Identity, nameKey } from './identity.ts'
import { type OnlineAgent, TunnelLost } from './online-agent.ts'

/** The agents that are connected to this process. */
export class Roster {
  readonly #online = new Set<OnlineAgent>()

  /** Adds an agent until its tunnel ends. */
  add(agent: OnlineAgent): void {
    this.#online.add(agent)
    void agent.gone.then(() => this.#online.delete(agent))
  }

  get all(): readonly OnlineAgent[] {
    return [...this.#online]
  }

  /** Returns what the agent does. It has several tunnels while it moves from one to another. */
  statusesOf(id: AgentId): readonly AgentStatus[] {
    return this.all.filter(({ arrival }) => arrival.agent.id === id).map((agent) => agent.status())
  }

  /** Returns the route through the agents of a name, whether or not one is connected. */
  route(name: AgentName): Route {
    const key = nameKey(name)
    return { key, open: (host, port) => this.#open(name, host, port) }
  }

  /** Opens a connection at one agent. @throws RouteFailed */
  openAt(agent: Identity, host: string, port: number): Promise<RouteStream> {
    return this.#openAtOneOf(
      this.all.filter(({ arrival }) => arrival.agent.id === agent.id),
      agent,
      host,
      port,
    )
  }

  /** Ends the tunnels of an agent at once. */
  cut(id: AgentId): void {
    for (const agent of this.all) if (agent.arrival.agent.id === id) agent.cut()
  }

  #open(name: AgentName, host: string, port: number): Promise<RouteStream> {
    const key = nameKey(name)
    return this.#openAtOneOf(
      this.all.filter(({ arrival }) => nameKey(arrival.agent) === key),
      name,
      host,
      port,
    )
  }

  /** Opens a connection at the agent that carries the fewest. If its tunnel ends meanwhile, asks the next. */
  async #openAtOneOf(agents: readonly OnlineAgent[], { name }: AgentName, host: string, port: number): Promise<RouteStream> {
    for (const agent of agents.filter(({ draining }) => !draining).sort((a, b) => a.streams - b.streams)) {
      try {
        return await agent.open(host, port)
      } catch (error) {
        if (!(error instanceof TunnelLost)) throw error
      }
    }
    throw new RouteFailed('agent_offline', `No remote agent with the name ${name} is connected.`)
  }
}
