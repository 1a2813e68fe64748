import { hash } from 'node:crypto'
import {
  type AgentId,
  asId,
  type Clock,
  type Connection,
  type ConnectionId,
  type Ids,
  type Millis,
  type OrganizationId,
  type Principal,
  type RemoteAgent,
  type Scope,
  scopeOf,
  systemScope,
} from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { NamedHints } from '../../hints/index.ts'
import type { Page, Store } from '../../storage/index.ts'
import { type Logger, storeFailures } from '../../telemetry/index.ts'
import type { Admission, AgentStatus, Identify } from './identity.ts'
import type { Arrival } from './online-agent.ts'
import type { Roster } from './roster.ts'
import type { Ways } from './ways.ts'

/** The most agents of one owner that are not revoked. */
export const mostAgents = 50

/** How long an enrolment token is valid. */
export const tokenLife: Millis = 24 * 3_600_000

/** Every token begins with this, so that secret scanners recognise one. */
const tokenPrefix = 'tsa_'

/** An agent as people see it. */
export interface AgentView {
  readonly agent: RemoteAgent
  /** Null: the operator's. */
  readonly organizationCode: string | null
  /** Its tunnels, the newest last. Empty: it is not connected. */
  readonly tunnels: readonly AgentStatus[]
  /** The connections that name it. */
  readonly connections: readonly Pick<Connection, 'id' | 'instance' | 'integration'>[]
}

export interface RouteCheck {
  readonly ok: boolean
  /** Why not. Null: the agent could connect. */
  readonly message: string | null
  readonly code: string | null
  readonly took: Millis
}

interface AgentsDeps {
  readonly store: Pick<Store, 'agents' | 'connections' | 'organizations'>
  readonly roster: Roster
  readonly ways: Ways
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly revocations: Pick<NamedHints, 'tell'>
}

function unknown(): TocsinError {
  return new TocsinError('agent_unknown', 'No remote agent that this key may see has this id.')
}

/** Returns the stored form of a token. It has 256 random bits, so a slow hash would add nothing. */
function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Manages the remote agents of organizations and of the operator, and finds the agent that signs in. */
export class Agents {
  readonly #deps: AgentsDeps

  constructor(deps: AgentsDeps) {
    this.#deps = deps
  }

  /**
   * Creates an agent.
   * @returns its enrolment token, which is not stored and shown only this once
   * @throws TocsinError `organization_unknown`, `organization_forbidden`, `agents_exceeded`
   */
  async create(
    principal: Principal,
    draft: { readonly name: string; readonly organizationCode: string | null },
  ): Promise<{ view: AgentView; token: string }> {
    const { store, clock, ids } = this.#deps
    const organization = await this.#ownerOf(principal, draft.organizationCode)
    if ((await store.agents.count(systemScope, organization)) >= mostAgents)
      throw new TocsinError('agents_exceeded', `There are ${mostAgents} remote agents already that are not revoked.`)
    const token = tokenPrefix + ids.secret(32)
    const now = clock.now()
    const agent: RemoteAgent = {
      id: asId<AgentId>(ids.uuid()),
      organization,
      name: draft.name,
      enrolment: { hash: hashToken(token), expiresAt: now + tokenLife },
      publicKey: null,
      enrolledAt: null,
      createdAt: now,
      createdBy: principal.id,
      revokedAt: null,
      lastSeen: null,
    }
    await store.agents.create(scopeOf(principal), agent)
    return { view: await this.#view(agent), token }
  }

  async list(scope: Scope, page: { readonly after: AgentId | null; readonly limit: number }): Promise<Page<AgentView>> {
    const { items, more } = await this.#deps.store.agents.list(scope, page)
    return { items: await this.#views(items), more }
  }

  /** @throws TocsinError `agent_unknown` */
  async get(scope: Scope, id: AgentId): Promise<AgentView> {
    const [found] = await this.#deps.store.agents.byId(scope, [id])
    if (!found) throw unknown()
    return this.#view(found)
  }

  /** Revokes an agent, and cuts it off, at whichever process it is. @throws TocsinError `agent_unknown` */
  async revoke(scope: Scope, id: AgentId): Promise<AgentView> {
    const { store, clock, roster, revocations } = this.#deps
    const revoked = await store.agents.revoke(scope, id, clock.now())
    if (!revoked) throw unknown()
    roster.cut(id)
    revocations.tell(id)
    return this.#view(revoked)
  }

  /** Has one agent connect to a host and port, and closes the connection. @throws TocsinError `agent_unknown` */
  async check(scope: Scope, id: AgentId, host: string, port: number): Promise<RouteCheck> {
    const { agent } = await this.get(scope, id)
    const began = performance.now()
    const took = (): Millis => Math.round(performance.now() - began)
    try {
      const stream = await this.#deps.ways.open(agent, host, port)
      stream.destroy()
      return { ok: true, message: null, code: null, took: took() }
    } catch (error) {
      if (!(error instanceof RouteFailed)) throw error
      return { ok: false, message: error.message, code: error.code, took: took() }
    }
  }

  /** Finds the agent of a key that its sender has proved to have. Enrols it if it has a token. */
  readonly identify: Identify = async ({ publicKey, token, version }) => {
    const { store, clock, logger } = this.#deps
    const known = await store.agents.byKey(systemScope, publicKey)
    const agent = known ?? (token === null ? null : await store.agents.enrol(systemScope, hashToken(token), publicKey, clock.now()))
    if (agent === null) return token === null ? refused('agent_unknown', notEnrolled) : refused('enrolment_refused', deadToken)
    if (agent.revokedAt !== null) return refused('agent_revoked', revoked)
    // Its owner means another agent than the one that its key names, and would wait for it in vain.
    if (known && token !== null && (await store.agents.byToken(systemScope, hashToken(token), clock.now())))
      return refused('enrolment_refused', `The key of this agent is that of ${agent.name}, and its token is for another one. ${ownKeyFile}`)
    if (!known) logger.info({ agent: agent.id, name: agent.name }, 'a remote agent enrolled')
    await store.agents.noteSeen(systemScope, agent.id, { at: clock.now(), version })
    return { ok: true, agent: { id: agent.id, organization: agent.organization, name: agent.name } }
  }

  /** Notes that an agent was here until now: its last tunnel to this process has ended. Never rejects. */
  async noteLeft({ agent, version }: Arrival): Promise<void> {
    const { store, clock, logger } = this.#deps
    try {
      await store.agents.noteSeen(systemScope, agent.id, { at: clock.now(), version })
    } catch (error) {
      storeFailures(logger, clock).warn(error, { agent: agent.id }, 'could not note when a remote agent was last here')
    }
  }

  /** Cuts off the agents of this process that were revoked, here or at another process. @param online those that may be. Absent: all that are here */
  async cutRevoked(online: readonly AgentId[] = this.#online()): Promise<void> {
    const { store, roster } = this.#deps
    if (online.length === 0) return
    const found = await store.agents.byId(systemScope, online)
    const standing = new Set(found.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id))
    for (const id of online) if (!standing.has(id)) roster.cut(id)
  }

  #online(): readonly AgentId[] {
    return [...new Set(this.#deps.roster.all.map(({ arrival }) => arrival.agent.id))]
  }

  async #ownerOf(principal: Principal, code: string | null): Promise<OrganizationId | null> {
    if (code === null) {
      if (principal.organizations === 'all') return null
      throw new TocsinError(
        'organization_forbidden',
        'Only an API key of all organizations may create an agent of the operator. Name an organization.',
      )
    }
    const [found] = await this.#deps.store.organizations.byCode(scopeOf(principal), [code])
    if (found) return found.id
    throw new TocsinError('organization_unknown', `No organization has the code "${code}".`, [
      { field: 'organization_code', message: 'unknown organization' },
    ])
  }

  async #view(agent: RemoteAgent): Promise<AgentView> {
    const [view] = await this.#views([agent])
    if (!view) throw new TypeError('one agent has one view')
    return view
  }

  async #views(agents: readonly RemoteAgent[]): Promise<readonly AgentView[]> {
    const { store, ways } = this.#deps
    const owners = [...new Set(agents.map(({ organization }) => organization))]
    const found = await store.organizations.byId(
      systemScope,
      owners.filter((id) => id !== null),
    )
    const codes = new Map(found.map(({ id, code }) => [id, code]))
    const using = new Map(await Promise.all(owners.map(async (owner) => [owner, await this.#connectionsOf(owner)] as const)))
    return Promise.all(
      agents.map(async (agent) => ({
        agent,
        organizationCode: agent.organization === null ? null : (codes.get(agent.organization) ?? null),
        tunnels: await ways.statusesOf(agent.id),
        connections: (using.get(agent.organization) ?? []).filter(({ remoteAgent }) => remoteAgent === agent.name),
      })),
    )
  }

  /** Returns the connections of an owner that name an agent. */
  async #connectionsOf(owner: OrganizationId | null): Promise<readonly Connection[]> {
    // The scope of no organization sees the shared connections only.
    const scope: Scope = { organizations: owner === null ? [] : [owner] }
    const named: Connection[] = []
    for (let after: ConnectionId | null = null; ; ) {
      const page: Page<Connection> = await this.#deps.store.connections.list(scope, {
        ...(owner !== null && { organizations: [owner] }),
        after,
        limit: 100,
      })
      named.push(...page.items.filter(({ remoteAgent, organization }) => remoteAgent !== null && organization === owner))
      after = page.items.at(-1)?.id ?? null
      if (!page.more || after === null) return named
    }
  }
}

const ownKeyFile = 'Start it with a key file of its own (--key-file); it is made at the first start.'
const revoked = `This agent was revoked. To run another one here, create it, and give it its token. ${ownKeyFile}`
const notEnrolled = 'The platform does not know the key of this agent. Create an agent, and start this one with its token.'
const deadToken =
  'The enrolment token is unknown, was used, or has expired, or its agent was revoked. Create another agent. One that was enrolled before needs no token, but its key file (--key-file).'

function refused(code: 'agent_unknown' | 'enrolment_refused' | 'agent_revoked', message: string): Admission {
  return { ok: false, code, message }
}
