import { inScope, type OrganizationId, type Scope } from '../../../domain/index.ts'

type OrganizationFilter<T> = { readonly organization?: { readonly $in: T[] } }

/** Returns a filter on `organization`: the organizations that the scope allows and, if given, that were asked for. */
export function within(scope: Scope, asked?: readonly OrganizationId[]): OrganizationFilter<OrganizationId> {
  const allowed = scope.organizations === 'all' ? asked : (asked?.filter((id) => inScope(scope, id)) ?? scope.organizations)
  return allowed ? { organization: { $in: [...allowed] } } : {}
}

/** Returns the same filter for things that may be shared (organization null). Every scope sees those. */
export function withinOrShared(scope: Scope): OrganizationFilter<OrganizationId | null> {
  return scope.organizations === 'all' ? {} : { organization: { $in: [null, ...scope.organizations] } }
}
