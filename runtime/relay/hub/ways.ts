import type { AgentId } from '../../domain/index.ts'
import type { Route, RouteStream } from '../../egress/index.ts'
import type { Neighbours } from '../neighbours/index.ts'
import { Failures } from './failures.ts'
import { type AgentName, type AgentStatus, nameKey, type Silent, type Wanted } from './identity.ts'
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

  /**
   * Opens a connection at an agent. If one cannot, asks the others of the name, each once. Those that are silent, or become silent
   * before they answer, come last: they may hang.
   * @throws RouteFailed
   */
  async open(to: Wanted, host: string, port: number): Promise<RouteStream> {
    const failures = new Failures(to.name)
    const here = (silent: Silent): Promise<RouteStream | null> =>
      this.#roster.through(to, (agent) => agent.open(host, port, silent), failures, { silent })
    const elsewhere = async (silent: Silent): Promise<RouteStream | null> =>
      // One agent that was asked here need not be asked elsewhere.
      to.id !== null && failures.some ? null : this.#neighbours.open(to, { host, port }, failures, silent)
    // An agent that was silent at first may answer again by now, so the last tries are for all who have not answered.
    const stream = (await here('never')) ?? (await elsewhere('never')) ?? (await here('last')) ?? (await elsewhere('last'))
    if (stream === null) throw failures.sum()
    return stream
  }

  /** Returns what the agent does, at this process and at the others. */
  async statusesOf(id: AgentId): Promise<readonly AgentStatus[]> {
    return [...(await this.#neighbours.statusesOf(id)), ...this.#roster.statusesOf(id)]
  }
}
