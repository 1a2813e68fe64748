import type { OrganizationId, Scope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { Store } from '../../../storage/index.ts'

/**
 * Finds the ids of organizations by their codes. A code outside the caller's scope is unknown, like a code that does not exist.
 * @param field the field of the request that has the codes
 * @throws TocsinError `organization_unknown`
 */
export async function organizationIdsOf(store: Store, scope: Scope, codes: readonly string[], field: string): Promise<OrganizationId[]> {
  const unique = [...new Set(codes)]
  const found = await store.organizations.byCode(scope, unique)
  const known = new Set(found.map((organization) => organization.code))
  const unknown = unique.find((code) => !known.has(code))
  if (unknown !== undefined) {
    throw new TocsinError('organization_unknown', 'No organization that this key may see has this code.', [
      { field, message: `${unknown} is unknown` },
    ])
  }
  return found.map((organization) => organization.id)
}

/** Finds the codes of organizations by their ids. */
export async function organizationCodesOf(store: Store, scope: Scope, ids: Iterable<OrganizationId>): Promise<ReadonlyMap<OrganizationId, string>> {
  const wanted = [...new Set(ids)]
  const found = wanted.length === 0 ? [] : await store.organizations.byId(scope, wanted)
  return new Map(found.map((organization) => [organization.id, organization.code]))
}
