import {
  asId,
  type ConnectionId,
  type Organization,
  type OrganizationId,
  type Policy,
  type PrincipalId,
  systemScope,
} from '../../runtime/domain/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { connectionOf } from '../support/connection.ts'
import { organizationCode, provider } from './actors/sources.ts'
import { plugin, vault } from './world/shared.ts'
import { beginning } from './world/world.ts'

const createdBy = asId<PrincipalId>('admin')
export const organization: Organization = {
  id: asId<OrganizationId>('org-acme'),
  code: organizationCode,
  name: 'Acme',
  createdAt: beginning,
  createdBy,
}
const id = asId<ConnectionId>('directory')
const secrets = { api_token: vault.seal(id, 'api_token', 'simulated-token') }
const fields = { base_url: 'https://directory.example' }
export const connection = connectionOf({
  id,
  organization: organization.id,
  integration: plugin.id,
  instance: 'dir-prod',
  fields,
  secrets,
  isDefault: true,
})

/** Sets up the installation before the first alert comes. */
export async function setStage(store: Store, { policy, agents }: { readonly policy: Policy | null; readonly agents: number }): Promise<void> {
  await store.organizations.create(systemScope, organization)
  await store.providers.create(systemScope, { code: provider, name: 'EDR', createdAt: beginning, createdBy })
  await store.connections.create(systemScope, { ...connection, remoteAgent: agents === 0 ? null : 'plant' })
  if (policy === null) return
  const set = { organization: organization.id, revision: 1, text: '', policy, changedAt: beginning, changedBy: createdBy }
  await store.policies.set(systemScope, set)
}
