import type { OrganizationId } from '../ids.ts'

/**
 * The organizations that a caller may see. Every method of the storage port takes a scope. Anything outside
 * it does not exist for the caller, whatever id the caller names.
 */
export interface Scope {
  readonly organizations: 'all' | readonly OrganizationId[]
}

/** The scope of the runtime itself: workers, the sweeper and start-up. */
export const systemScope: Scope = { organizations: 'all' }

/** Makes the scope of some organizations. */
export function organizationScope(...organizations: OrganizationId[]): Scope {
  return { organizations }
}

/** Returns whether a scope covers an organization. */
export function inScope(scope: Scope, organization: OrganizationId): boolean {
  return scope.organizations === 'all' || scope.organizations.includes(organization)
}

/**
 * Returns whether a scope covers something of an organization. Only the scope of all organizations covers
 * what belongs to none (null).
 */
export function reaches(scope: Scope, organization: OrganizationId | null): boolean {
  return organization === null ? scope.organizations === 'all' : inScope(scope, organization)
}
