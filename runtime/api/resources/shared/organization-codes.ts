import type { OrganizationId, Scope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { Store } from '../../../storage/index.ts'

/**
 * The ids of organizations by their codes, which stand in `field` of the request. A code outside the scope is as unknown as one
 * that nobody has.
 * @throws TocsinError `organization_unknown`
 */
export async function organizationIdsOf(store: Store, scope: Scope, codes: readonly string[], field: string): Promise<OrganizationId[]> {
  const unique = [...new Set(codes)]
  const found = await store.organizations.byCode(scope, unique)
  const known = new Set(found.map((organization) => organization.code))
  const unknown = unique.find((code) => !known.has(code))
  if (unknown !== undefined) {
    throw new TocsinError('organization_unknown', 'No organization within reach has this code.', [{ field, message: `${unknown} is unknown` }])
  }
  return found.map((organization) => organization.id)
}

/** The codes of organizations by their ids. */
export async function organizationCodesOf(store: Store, scope: Scope, ids: Iterable<OrganizationId>): Promise<ReadonlyMap<OrganizationId, string>> {
  const wanted = [...new Set(ids)]
  const found = wanted.length === 0 ? [] : await store.organizations.byId(scope, wanted)
  return new Map(found.map((organization) => [organization.id, organization.code]))
}
