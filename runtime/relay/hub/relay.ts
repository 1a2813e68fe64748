import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AgentId, Clock, Ids, Millis } from '../../domain/index.ts'
import type { RouteOf } from '../../egress/index.ts'
import type { NamedHints } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'
import { type Logger, storeFailures } from '../../telemetry/index.ts'
import {
  type CarriedStream,
  type Carry,
  type Directory,
  type NeighbourLink,
  Neighbours,
  type NeighbourWire,
  secretOf,
  serveNeighbour,
} from '../neighbours/index.ts'
import { Agents } from './agents.ts'
import { Doorway } from './doorway.ts'
import { Failures } from './failures.ts'
import type { OnlineAgent } from './online-agent.ts'
import { Roster } from './roster.ts'
import { Ways } from './ways.ts'

/** How often this process looks whether another one has revoked its agents, in case it was not told. */
const recheck: Millis = 2_000
/** How often it tells the others which agents are here. */
const retell: Millis = 5_000

interface RelayDeps {
  readonly store: Pick<Store, 'agents' | 'connections' | 'organizations'>
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly version: string
  readonly directory: Directory
  /** Tells the processes which agents were revoked, by their ids. */
  readonly revocations: NamedHints
  /** A text that only the processes of this installation know. */
  readonly shared: string
}

/** The remote agents of an installation, as one process sees them. */
export class Relay {
  readonly agents: Agents
  readonly #roster = new Roster()
  readonly #neighbours: Neighbours
  readonly #ways: Ways
  readonly #doorway: Doorway
  readonly #links = new Set<NeighbourLink>()
  readonly #deps: RelayDeps
  readonly #stops: readonly (() => void)[]
  #address: string | null = null
  #closed = false

  constructor(deps: RelayDeps) {
    const { clock } = deps
    const secret = secretOf(deps.shared)
    this.#deps = deps
    this.#neighbours = new Neighbours({ ...deps, secret })
    this.#ways = new Ways(this.#roster, this.#neighbours)
    this.agents = new Agents({ ...deps, roster: this.#roster, ways: this.#ways })
    this.#doorway = new Doorway({
      ...deps,
      identify: this.agents.identify,
      admitted: (agent) => this.#admit(agent),
      neighbours: { secret, address: () => this.#address, admitted: (neighbour) => this.#serve(neighbour) },
    })
    const cutRevoked = (): void => this.#cutRevoked()
    this.#stops = [
      clock.every(retell, () => this.#tell()),
      clock.every(recheck, cutRevoked),
      deps.revocations.listen({
        named: (ids) => {
          if (this.#roster.all.some(({ arrival }) => ids.includes(arrival.agent.id))) cutRevoked()
        },
        missed: cutRevoked,
      }),
    ]
  }

  /** Takes over the connection of an agent or another process that wants to open a tunnel. @param address the client's address */
  receive(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    this.#doorway.receive(request, socket, head, address)
  }

  /** Returns the route of a connection: through the agents that it names, if it names one. */
  readonly route: RouteOf = ({ organization, remoteAgent }) => (remoteAgent === null ? null : this.#ways.route({ organization, name: remoteAgent }))

  /** How many agents are connected to this process. */
  get connected(): number {
    return new Set(this.#roster.all.map(({ arrival }) => arrival.agent.id)).size
  }

  /** Tells the other processes where to reach this one: scheme, host and port. Until then, they do not know its agents. */
  listensAt(address: string): void {
    this.#address = address
    this.#tell()
  }

  /** Lets no agent in any more, and asks those that are here to go elsewhere. */
  leave(): void {
    this.#doorway.close()
    for (const agent of this.#roster.all) agent.leave()
    for (const link of this.#links) link.leave()
    this.#tell()
  }

  /** Ends all tunnels. */
  close(): void {
    this.#closed = true
    for (const stop of this.#stops) stop()
    this.#doorway.close()
    this.#neighbours.close()
    for (const agent of this.#roster.all) agent.cut()
    for (const link of this.#links) link.cut()
  }

  /** @param ids the agents that may be revoked. Absent: all that are here */
  #cutRevoked(ids?: readonly AgentId[]): void {
    const failures = storeFailures(this.#deps.logger, this.#deps.clock)
    this.agents.cutRevoked(ids).catch((error) => failures.warn(error, {}, 'could not look for revoked remote agents'))
  }

  #admit(agent: OnlineAgent): void {
    const { logger } = this.#deps
    const { id, name } = agent.arrival.agent
    const fields = { agent: id, name, version: agent.arrival.version, address: agent.arrival.address }
    this.#roster.add(agent)
    // It may have been revoked while it signed in. Until now, nobody could cut it off.
    this.#cutRevoked([id])
    this.#tell()
    logger.info(fields, 'a remote agent connected')
    void agent.gone.then(() => {
      this.#tell()
      logger.info(fields, 'a remote agent disconnected')
      // The store closes with the process.
      if (!this.#closed && this.#roster.statusesOf(id).length === 0) void this.agents.noteLeft(agent.arrival)
    })
  }

  #serve(neighbour: NeighbourWire): void {
    const carry: Carry = async (to, host, port, silent) => {
      const failures = new Failures(to.name)
      const use = async (agent: OnlineAgent): Promise<CarriedStream> => ({
        connected: await agent.connect(host, port, silent),
        traffic: agent.traffic,
      })
      const carried = await this.#roster.through(to, use, failures, { silent })
      if (carried === null) throw failures.sum()
      return carried
    }
    const link = serveNeighbour(neighbour, carry, this.#deps.clock)
    this.#links.add(link)
    void link.gone.then(() => this.#links.delete(link))
  }

  #tell(): void {
    if (this.#address === null) return
    const agents = this.#roster.all.map((agent) => ({ agent: agent.arrival.agent, status: agent.status() }))
    this.#deps.directory.publish({ address: this.#address, agents })
  }
}
