import { RouteFailed } from '../../egress/index.ts'
import { offline } from './answers.ts'
import type { OnlineAgent } from './online-agent.ts'

/** How many failures a message names. */
const mostNamed = 5

/** What matters most comes first: a failure that may pass makes it worth while to try again. */
const order: readonly RouteFailed['code'][] = ['network', 'agent_busy', 'agent_refused', 'agent_offline']

/** Why a connection could not be opened, as each one that was asked says. Nothing was sent. */
export class Failures {
  /** Tunnels that were asked, and ended or gave the call up without a reason. The same agent may have another one. */
  readonly lost = new Set<OnlineAgent>()
  readonly #agent: string
  readonly #said = new Map<string, RouteFailed>()

  /** @param agent the name of the agents */
  constructor(agent: string) {
    this.#agent = agent
  }

  /** @param who the id of an agent, or the address of another process */
  add(who: string, failure: RouteFailed): void {
    this.#said.set(who, failure)
  }

  /** Whether it was asked already. */
  has(who: string): boolean {
    return this.#said.has(who)
  }

  get some(): boolean {
    return this.#said.size > 0
  }

  /** Returns all of them as one. If nobody was asked, no agent is connected. */
  sum(): RouteFailed {
    const said = [...this.#said]
    const [chief] = said.map(([, failure]) => failure).sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
    if (!chief) return offline(this.#agent)
    if (said.length === 1) return chief
    const named = said.slice(0, mostNamed).map(([who, { message }]) => `${who}: ${message}`)
    return new RouteFailed(chief.code, `${said.length} were asked, and none could connect. ${named.join(' ')}`, chief.systemCode)
  }
}
