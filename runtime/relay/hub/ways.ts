import type { AgentId } from '../../domain/index.ts'
import { type Route, RouteFailed, type RouteStream } from '../../egress/index.ts'
import type { Neighbours } from '../neighbours/index.ts'
import { type AgentName, type AgentStatus, nameKey, type Wanted } from './identity.ts'
import type { Roster } from './roster.ts'

/** The ways to agents: those of this process first, then those of the others. */
export class Ways {
  readonly #roster: Roster
  readonly #neighbours: Neighbours

  constructor(roster: Roster, neighbours: Neighbours) {
    this.#roster = roster
    this.#neighbours = neighbours
  }

  /** Returns the route through the agents of a name, whether or not one is connected. */
  route(name: AgentName): Route {
    return { key: nameKey(name), open: (host, port) => this.open({ ...name, id: null }, host, port) }
  }

  /** Opens a connection at an agent. @throws RouteFailed */
  async open(to: Wanted, host: string, port: number): Promise<RouteStream> {
    try {
      return await this.#roster.through(to, (agent) => agent.open(host, port))
    } catch (error) {
      if (error instanceof RouteFailed && error.code === 'agent_offline') return this.#neighbours.open(to, host, port)
      throw error
    }
  }

  /** Returns what the agent does, at this process and at the others. */
  async statusesOf(id: AgentId): Promise<readonly AgentStatus[]> {
    return [...(await this.#neighbours.statusesOf(id)), ...this.#roster.statusesOf(id)]
  }
}
