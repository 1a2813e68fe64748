import type { Principal } from '../../domain/index.ts'

/**
 * Returns the owner of a request where organizations share something: the organization of its key. A key of all organizations (an
 * operator's) is an owner of its own. A key of several organizations counts for the first of them, so more keys do not give a larger share.
 */
export function ownerOf({ organizations }: Pick<Principal, 'organizations'>): string {
  if (organizations === 'all') return 'all'
  return organizations.toSorted()[0] ?? 'none'
}
