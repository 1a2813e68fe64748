import { asId, type OrganizationId, type PrincipalId, systemScope } from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'

export const acme = asId<OrganizationId>('0190-acme')
export const globex = asId<OrganizationId>('0190-globex')

/** Puts the organizations ACME and GLOBEX into the store, as if they had been created earlier. */
export async function addTenants(store: Store): Promise<void> {
  for (const [id, code] of [
    [acme, 'ACME'],
    [globex, 'GLOBEX'],
  ] as const)
    await store.organizations.create(systemScope, { id, code, name: code, createdAt: 1, createdBy: asId<PrincipalId>('p') })
}
