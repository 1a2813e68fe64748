import { inScope, type OrganizationId, type Scope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'

type OrganizationFilter<T> = { readonly organization?: { readonly $in: T[] } }

/** A filter on `organization`: what the scope allows and, of it, what was asked for. */
export function within(scope: Scope, asked?: readonly OrganizationId[]): OrganizationFilter<OrganizationId> {
  const allowed = scope.organizations === 'all' ? asked : (asked?.filter((id) => inScope(scope, id)) ?? scope.organizations)
  return allowed ? { organization: { $in: [...allowed] } } : {}
}

/** The same for things that may be shared (organization null), which every scope sees. */
export function withinOrShared(scope: Scope): OrganizationFilter<OrganizationId | null> {
  return scope.organizations === 'all' ? {} : { organization: { $in: [null, ...scope.organizations] } }
}

export function sees(scope: Scope, organization: OrganizationId | null): boolean {
  return organization === null || inScope(scope, organization)
}

/** What is shared only a scope of all changes. */
export function mayChange(scope: Scope, organization: OrganizationId | null): boolean {
  return organization === null ? scope.organizations === 'all' : inScope(scope, organization)
}

/** @throws TocsinError `organization_forbidden` */
export function mustReach(reached: boolean, thing: string): void {
  if (!reached) throw new TocsinError('organization_forbidden', `The ${thing} belongs to an organization out of reach.`)
}
