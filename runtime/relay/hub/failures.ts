import { RouteFailed } from '../../egress/index.ts'
import { offline } from './answers.ts'
import type { OnlineAgent } from './online-agent.ts'

/** How many failures a message names. */
const mostNamed = 5

/** Failures that may pass come first, because trying again may help. */
const order: readonly RouteFailed['code'][] = ['network', 'agent_busy', 'agent_refused', 'agent_offline']

/** Why a connection could not be opened, as each one that was asked says. Nothing was sent. */
export class Failures {
  /** Tunnels that were asked, and ended or gave the call up without a reason. The same agent may have another one. */
  readonly lost = new Set<OnlineAgent>()
  /** The addresses of other processes that need not be asked again: they have said why they could not, or could not be reached. */
  readonly processes = new Set<string>()
  readonly #agent: string
  readonly #said: { readonly who: string; readonly failure: RouteFailed }[] = []
  readonly #agents = new Set<string>()

  /** @param agent the name of the agents */
  constructor(agent: string) {
    this.#agent = agent
  }

  /** @param agent its id */
  add(agent: string, failure: RouteFailed): void {
    this.#agents.add(agent)
    this.#said.push({ who: agent, failure })
  }

  /** Another process failed. Tenants read the message, so it does not say where in the operator's network that process is. */
  addOfProcess(address: string, failure: RouteFailed): void {
    this.processes.add(address)
    this.#said.push({ who: 'another process of Tocsin', failure })
  }

  /** Whether the agent was asked already. @param agent its id */
  has(agent: string): boolean {
    return this.#agents.has(agent)
  }

  get some(): boolean {
    return this.#said.length > 0
  }

  /** Returns all of them as one. If nobody was asked, no agent is connected. */
  sum(): RouteFailed {
    const said = this.#said
    const [chief] = said.map(({ failure }) => failure).sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
    if (!chief) return offline(this.#agent)
    if (said.length === 1) return chief
    const named = said.slice(0, mostNamed).map(({ who, failure }) => `${who}: ${failure.message}`)
    return new RouteFailed(chief.code, `${said.length} were asked, and none could connect. ${named.join(' ')}`, chief.systemCode)
  }
}
