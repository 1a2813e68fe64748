import type { Connection, ConnectionId, Organization, OrganizationId } from '../../domain/index.ts'
import { foldCode, organizationScope, systemScope } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { Store } from '../../storage/index.ts'
import type { ExaminedPlaybook } from '../checks/tasks.ts'

/** A playbook's slots, and those of the playbooks that it runs. */
export type Slotted = Pick<ExaminedPlaybook, 'name' | 'slots' | 'playbooks'>

/**
 * Binds a playbook's slots to connections. It is the engine's own function, so a run gets the same
 * result.
 */
export type Bind = (
  playbook: Slotted,
  connections: readonly Connection[],
) => { readonly missing: readonly { readonly slot: string; readonly why: string }[] }

/** The required slots of a playbook that an organization has no connection for. */
export interface Unbound {
  readonly organization: OrganizationId
  readonly slots: readonly { readonly slot: string; readonly why: string }[]
}

const page = 500

/** The connections that runs of one organization or of all organizations would find. */
export class FoundConnections {
  /** The connections that each organization may use. */
  readonly #all: readonly (readonly [OrganizationId, readonly Connection[]])[]

  private constructor(all: readonly (readonly [OrganizationId, readonly Connection[]])[]) {
    this.#all = all
  }

  /** Loads the connections of one organization. Null: of all organizations. */
  static async of(store: Store, organization: OrganizationId | null): Promise<FoundConnections> {
    if (organization !== null) {
      const connections = await store.connections.forOrganization(organizationScope(organization), organization)
      return new FoundConnections([[organization, connections]])
    }
    const connections = await allConnections(store)
    const shared = connections.filter(({ organization: owner }) => owner === null)
    const own = Map.groupBy(connections, ({ organization: owner }) => owner)
    return new FoundConnections((await allOrganizations(store)).map(({ id }) => [id, [...(own.get(id) ?? []), ...shared]]))
  }

  /**
   * Returns the organizations in which runs of a playbook would lack a connection.
   *
   * @param owner the owner whose turns of the event loop this uses
   */
  async unbound(bind: Bind, playbook: Slotted, turns: Turns, owner: string): Promise<readonly Unbound[]> {
    const found: Unbound[] = []
    for (const [organization, connections] of this.#all) {
      const turn = turns.next(owner)
      if (turn) await turn
      const slots = bind(playbook, connections).missing
      if (slots.length > 0) found.push({ organization, slots })
    }
    return found
  }
}

async function allConnections(store: Store): Promise<readonly Connection[]> {
  const all: Connection[] = []
  for (let after: ConnectionId | null = null; ; after = all.at(-1)?.id ?? null) {
    const { items, more } = await store.connections.list(systemScope, { after, limit: page })
    all.push(...items)
    if (!more) return all
  }
}

async function allOrganizations(store: Store): Promise<readonly Organization[]> {
  const all: Organization[] = []
  for (let after: string | null = null; ; ) {
    const { items, more } = await store.organizations.list(systemScope, { after, limit: page })
    all.push(...items)
    const last = items.at(-1)
    if (!more || !last) return all
    after = foldCode(last.code)
  }
}
