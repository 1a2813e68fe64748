import { inScope, type OrganizationId, type Scope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'

/**
 * Returns whether the scope sees something that may be shared. Every scope sees what is shared
 * (`organization` is null).
 */
export function sees(scope: Scope, organization: OrganizationId | null): boolean {
  return organization === null || inScope(scope, organization)
}

/**
 * Checks that a write stays within its scope.
 * @throws TocsinError `organization_forbidden`
 */
export function mustReach(reached: boolean, thing: string): void {
  if (!reached) throw new TocsinError('organization_forbidden', `The ${thing} belongs to an organization outside the scope of this caller.`)
}

/**
 * Checks that the scope may create organizations.
 * @throws TocsinError `organization_forbidden`
 */
export function mustSeeAll(scope: Scope): void {
  if (scope.organizations !== 'all')
    throw new TocsinError('organization_forbidden', 'Only an API key for all organizations may create an organization.')
}
