import type { Principal } from '../../domain/index.ts'

/**
 * Whose a request is where organizations share something: the organization of the key. A key of all organizations (an operator's) is an
 * owner of its own. A key of several counts for the first of them, so that who has more keys gets no more.
 */
export function ownerOf({ organizations }: Pick<Principal, 'organizations'>): string {
  if (organizations === 'all') return 'all'
  return organizations.toSorted()[0] ?? 'none'
}
