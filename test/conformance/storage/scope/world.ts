import type { Alert, ApiKey, Connection, Decision, Organization, Principal } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import { keyOf } from '../access/principals.ts'
import { newConnection } from '../connections/connections.ts'
import { newDecision } from '../decisions/decisions.ts'
import { type Claimed, ended, everyone, investigated, newPrincipal, newTenant, organizationOf, type Tenant, uuid } from '../fixtures.ts'
import { activationOf, newArtifact } from '../playbooks/artifacts.ts'

/** Everything that one organization can have. A stranger knows every id of it. */
export interface World {
  readonly store: Store
  readonly owner: Tenant
  readonly stranger: Tenant
  readonly organization: Organization
  readonly principal: Principal
  readonly key: ApiKey
  readonly connection: Connection
  readonly shared: Connection
  readonly alert: Alert
  readonly claimed: Claimed
  readonly over: Alert
  readonly decision: Decision
  readonly playbookKey: string
}

export async function makeWorld(store: Store): Promise<World> {
  const [owner, stranger] = [newTenant(), newTenant()]
  const organization = organizationOf(owner)
  const principal = newPrincipal([owner.id])
  const key = keyOf(principal)
  const [connection, shared] = [newConnection(owner.id), newConnection(null)]
  const playbookKey = uuid()
  const artifact = newArtifact(owner.id)
  await store.organizations.create(everyone, organization)
  await store.principals.create(everyone, principal)
  await store.principals.addKey(everyone, key)
  await store.connections.create(everyone, connection)
  await store.connections.create(everyone, shared)
  await store.artifacts.put(everyone, [artifact])
  await store.artifacts.activate(everyone, activationOf(artifact, playbookKey, 1))
  const { alert, claimed, session } = await investigated(store, owner)
  await store.journal.putOutput(everyone, claimed.run.id, 'a', '1')
  await store.sessions.close(everyone, session)
  const over = (await ended(store, owner)).alert
  const decision = await store.decisions.open(everyone, newDecision(owner))
  return { store, owner, stranger, organization, principal, key, connection, shared, alert, claimed, over, decision, playbookKey }
}

/** Waits for an operation outside the scope. It may answer or throw. Afterwards the case checks that it did nothing. */
export async function attempt(operation: Promise<unknown>): Promise<unknown> {
  return operation.catch(() => 'refused')
}

export type Aggregates = Omit<Store, 'ping' | 'close'>
/** One case for each method of an aggregate. The compiler says if one is missing. */
export type ScopeCases<A extends keyof Aggregates> = { readonly [M in keyof Aggregates[A]]: (world: World) => Promise<void> }

export const nothing = { items: [], more: false }
