import type { OrganizationId } from '../ids.ts'

/**
 * The tenants a caller may see. Every method of the storage port takes one, and a store finds nothing outside it:
 * what is outside a scope does not exist for the caller, whatever id it names.
 */
export interface Scope {
  readonly organizations: 'all' | readonly OrganizationId[]
}

/** The runtime itself: workers, the sweeper, start-up. */
export const systemScope: Scope = { organizations: 'all' }

export function organizationScope(...organizations: OrganizationId[]): Scope {
  return { organizations }
}

export function inScope(scope: Scope, organization: OrganizationId): boolean {
  return scope.organizations === 'all' || scope.organizations.includes(organization)
}

/** Whether a scope reaches what belongs to an organization; what belongs to none (null), and so concerns all, only a scope of all reaches. */
export function reaches(scope: Scope, organization: OrganizationId | null): boolean {
  return organization === null ? scope.organizations === 'all' : inScope(scope, organization)
}
