import type { AgentId } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import { TunnelLost, TunnelSilent } from '../link/index.ts'
import type { Failures } from './failures.ts'
import { type AgentStatus, nameKey, type Silent, type Wanted } from './identity.ts'
import type { OnlineAgent } from './online-agent.ts'

/** The most tunnels of one agent. It has four, and others while it moves or its network fails. */
export const mostTunnels = 8

/** The agents that are connected to this process. */
export class Roster {
  readonly #online = new Set<OnlineAgent>()

  /** Adds an agent until its tunnel ends. If it has too many, ends the oldest. */
  add(agent: OnlineAgent): void {
    const standing = this.all.filter((other) => idOf(other) === idOf(agent))
    if (standing.length >= mostTunnels) standing[0]?.cut()
    this.#online.add(agent)
    void agent.gone.then(() => this.#online.delete(agent))
  }

  get all(): readonly OnlineAgent[] {
    return [...this.#online]
  }

  /** Returns what each tunnel of the agent does. */
  statusesOf(id: AgentId): readonly AgentStatus[] {
    return this.all.filter((agent) => idOf(agent) === id).map((agent) => agent.status())
  }

  /**
   * Uses one of the agents that are wanted: the one that carries the fewest connections, and of its tunnels the one with the fewest. If it cannot,
   * asks the next. Nothing was sent then. One that did not answer may be asked again, and no other one is.
   * @param silent whether agents that are silent at the moment come last, or are not asked
   * @returns null if none of them could: `failures` has what each said
   */
  async through<Result>(
    to: Wanted,
    use: (agent: OnlineAgent) => Promise<Result>,
    failures: Failures,
    { silent }: { readonly silent: Silent },
  ): Promise<Result | null> {
    const able = this.all.filter((agent) => !agent.draining && (silent === 'last' || !agent.silent) && fits(agent.arrival.agent, to))
    const carried = new Map<AgentId, number>()
    for (const agent of able) carried.set(idOf(agent), (carried.get(idOf(agent)) ?? 0) + agent.streams)
    const load = (agent: OnlineAgent): number => carried.get(idOf(agent)) ?? 0
    for (const agent of able.sort((a, b) => Number(a.silent) - Number(b.silent) || load(a) - load(b) || a.streams - b.streams)) {
      const id = idOf(agent)
      if (failures.has(id) || failures.lost.has(agent)) continue
      // It may have become silent while another of its tunnels was asked.
      if (silent === 'never' && agent.silent) continue
      // An agent that hangs must cost one wait, and not one for each of its tunnels.
      for (const other of able) if (other !== agent && idOf(other) === id) other.expect()
      try {
        return await use(agent)
      } catch (error) {
        if (error instanceof RouteFailed) failures.add(id, error)
        // It may answer when all others were asked.
        else if (error instanceof TunnelSilent) continue
        else if (error instanceof TunnelLost) failures.lost.add(agent)
        else throw error
      }
    }
    return null
  }

  /** Ends the tunnels of an agent at once. */
  cut(id: AgentId): void {
    for (const agent of this.all) if (idOf(agent) === id) agent.cut()
  }
}

function idOf({ arrival }: OnlineAgent): AgentId {
  return arrival.agent.id
}

/** Returns whether an agent is one that is wanted: the agent with the id, or any of the name. */
export function fits(agent: Wanted, to: Wanted): boolean {
  return to.id === null ? nameKey(agent) === nameKey(to) : agent.id === to.id
}
