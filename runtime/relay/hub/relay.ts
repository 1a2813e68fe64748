import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock, Ids, Millis } from '../../domain/index.ts'
import type { RouteOf } from '../../egress/index.ts'
import { messageOf } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import type { Logger } from '../../telemetry/index.ts'
import { Agents } from './agents.ts'
import { Doorway } from './doorway.ts'
import type { OnlineAgent } from './online-agent.ts'
import { Roster } from './roster.ts'

/** How often this process looks whether another one has revoked its agents. */
const recheck: Millis = 2_000

interface RelayDeps {
  readonly store: Pick<Store, 'agents' | 'connections' | 'organizations'>
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly version: string
}

/** The remote agents of this process. */
export class Relay {
  readonly agents: Agents
  readonly #roster = new Roster()
  readonly #doorway: Doorway
  readonly #logger: Logger
  readonly #stop: () => void

  constructor(deps: RelayDeps) {
    const { clock, logger } = deps
    this.#logger = logger
    this.agents = new Agents({ ...deps, roster: this.#roster })
    this.#doorway = new Doorway({ ...deps, identify: this.agents.identify, admitted: (agent) => this.#admit(agent) })
    this.#stop = clock.every(recheck, () => {
      this.agents.cutRevoked().catch((error) => logger.warn({ error: messageOf(error) }, 'could not look for revoked remote agents'))
    })
  }

  /** Takes over the connection of an agent that wants to open a tunnel. @param address the client's address */
  receive(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    this.#doorway.receive(request, socket, head, address)
  }

  /** Returns the route of a connection: through the agents that it names, if it names one. */
  readonly route: RouteOf = ({ organization, remoteAgent }) => (remoteAgent === null ? null : this.#roster.route({ organization, name: remoteAgent }))

  /** Lets no agent in any more, and asks those that are here to go elsewhere. */
  leave(): void {
    this.#doorway.close()
    for (const agent of this.#roster.all) agent.leave()
  }

  /** Ends all tunnels. */
  close(): void {
    this.#stop()
    this.#doorway.close()
    for (const agent of this.#roster.all) agent.cut()
  }

  #admit(agent: OnlineAgent): void {
    const { id, name } = agent.arrival.agent
    const fields = { agent: id, name, version: agent.arrival.version, address: agent.arrival.address }
    this.#roster.add(agent)
    this.#logger.info(fields, 'a remote agent connected')
    void agent.gone.then(() => this.#logger.info(fields, 'a remote agent disconnected'))
  }
}
