import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Target } from '../../../runtime/cli/client.ts'
import { Life } from '../../support/processes/life.ts'
import { startTcpProxy, type TcpProxy } from '../../support/stores/tcp-proxy.ts'
import { insist } from './insist.ts'
import { site } from './workload.ts'

const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))
/** How many agents serve the site. */
const agentsOfSite = 2

/** A remote agent, in a process that is started again whenever it died. */
export class AgentLife {
  readonly #place: AgentPlace
  #id = ''
  #token = ''
  #keyFile = ''
  #child: ChildProcess | null = null
  #life: Life | null = null
  /** Processes that were told to end, and may end their streams first. */
  readonly #leaving = new Set<Life>()

  constructor(place: AgentPlace) {
    this.#place = place
  }

  /** Creates an agent at the platform, and starts it. */
  async enrol(target: () => Target): Promise<void> {
    const body = { name: site.agent, organization_code: site.organization }
    const { id, token } = await insist(target, 'POST', '/platformapi/agents', body)
    this.#id = String(id)
    this.#token = String(token)
    this.#keyFile = join(this.#place.folder, `agent-${this.#id}`, 'key.pem')
    this.start()
  }

  /** Revokes it. Its process goes on, and is refused. */
  async revoke(target: () => Target): Promise<void> {
    await insist(target, 'DELETE', `/platformapi/agents/${this.#id}`)
  }

  start(): void {
    const child = spawn(process.execPath, [main, 'agent', 'run', '--url', this.#place.url, '--key-file', this.#keyFile], {
      env: { PATH: process.env['PATH'], TOCSIN_AGENT_TOKEN: this.#token, TOCSIN_AGENT_ALLOW: this.#place.allow },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    this.#life = new Life('a remote agent', child)
  }

  /** Kills it like `kill -9`. */
  async kill(): Promise<void> {
    await this.#life?.kill()
  }

  /** Tells it to end, and does not wait until it has. */
  leave(): void {
    const life = this.#life
    if (!life) return
    this.#leaving.add(life)
    void life.stop().then(() => this.#leaving.delete(life))
  }

  /** Stalls it, like a machine that sleeps. */
  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Ends all of its processes. */
  async end(): Promise<void> {
    await this.kill()
    await Promise.all([...this.#leaving].map((life) => life.kill()))
  }
}

/** Where an agent runs. */
interface AgentPlace {
  readonly folder: string
  /** The address of the platform. */
  readonly url: string
  /** The only thing that it may connect to. */
  readonly allow: string
}

/** A site that Tocsin reaches only through remote agents: its egress policy forbids the address. */
export interface Site {
  readonly agents: readonly AgentLife[]
  /** Carries the tunnels. */
  readonly toApi: TcpProxy
  /** The external system, as the agents reach it. Nothing else may come here. */
  readonly toLedger: TcpProxy
  /** Returns how many connections have come to the external system, this one included. None before it is missed. */
  visits(): Promise<number>
  close(): Promise<void>
}

/**
 * @param folder holds the keys of the agents
 * @param ledger the port of the external system
 * @param api returns where the API listens now
 */
export async function openSite(folder: string, ledger: number, api: () => string): Promise<Site> {
  const toLedger = await startTcpProxy(() => ({ host: '127.0.0.1', port: ledger }))
  const toApi = await startTcpProxy(() => ({ host: '127.0.0.1', port: Number(new URL(api()).port) }))
  const place: AgentPlace = { folder, url: `http://127.0.0.1:${toApi.port}`, allow: `127.0.0.1:${toLedger.port}` }
  const agents = Array.from({ length: agentsOfSite }, () => new AgentLife(place))
  return {
    agents,
    toApi,
    toLedger,
    async visits() {
      // Connections are accepted in the order in which they come, so those before this one have been counted.
      const socket = connect({ host: '127.0.0.1', port: toLedger.port, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      socket.destroy()
      return toLedger.accepted
    },
    async close() {
      for (const agent of agents) await agent.end()
      await toApi.close()
      await toLedger.close()
    },
  }
}
