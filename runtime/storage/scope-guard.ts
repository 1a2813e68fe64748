import { inScope, type OrganizationId, type Scope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'

/** Of what may be shared (organization null), which every scope sees. */
export function sees(scope: Scope, organization: OrganizationId | null): boolean {
  return organization === null || inScope(scope, organization)
}

/** @throws TocsinError `organization_forbidden` */
export function mustReach(reached: boolean, thing: string): void {
  if (!reached) throw new TocsinError('organization_forbidden', `The ${thing} belongs to an organization out of reach.`)
}
