import { inScope, type OrganizationId, type Scope } from '../../../domain/index.ts'

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
