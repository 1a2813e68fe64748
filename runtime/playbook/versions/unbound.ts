import type { Connection, ConnectionId, Organization, OrganizationId } from '../../domain/index.ts'
import { foldCode, organizationScope, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import type { Plan } from '../plan.ts'

/** Binds a plan's slots to connections; the engine's own way, so that what is said before is what happens then. */
export type Bind = (
  plan: Plan,
  connections: readonly Connection[],
) => { readonly missing: readonly { readonly slot: string; readonly why: string }[] }

/** The required slots of a playbook that nothing serves in an organization. */
export interface Unbound {
  readonly organization: OrganizationId
  readonly slots: readonly { readonly slot: string; readonly why: string }[]
}

const page = 500

/** Where runs of a plan would not find their connections: in one organization, or (null) in any. Those that have all are left out. */
export async function unboundIn(store: Store, bind: Bind, plan: Plan, organization: OrganizationId | null): Promise<readonly Unbound[]> {
  if (organization !== null) {
    const connections = await store.connections.forOrganization(organizationScope(organization), organization)
    return missingIn(bind, plan, organization, connections)
  }
  const connections = await allConnections(store)
  const shared = connections.filter(({ organization: owner }) => owner === null)
  const own = Map.groupBy(connections, ({ organization: owner }) => owner)
  return (await allOrganizations(store)).flatMap(({ id }) => missingIn(bind, plan, id, [...(own.get(id) ?? []), ...shared]))
}

function missingIn(bind: Bind, plan: Plan, organization: OrganizationId, connections: readonly Connection[]): readonly Unbound[] {
  const slots = bind(plan, connections).missing
  return slots.length > 0 ? [{ organization, slots }] : []
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
