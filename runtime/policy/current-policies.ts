import { TtlCache } from '../caches/index.ts'
import { type Clock, defaultPolicy, type OrganizationId, type OrganizationPolicy, type Policy, systemScope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'

/** The current policies of organizations. */
export interface CurrentPolicies {
  /**
   * Returns the policy of an organization. Null: the default, for things that belong to no organization.
   * @throws the store's error
   */
  get(organization: OrganizationId | null): Promise<Policy>
  /** Returns the policy that the organization set. Null: it has set none. */
  set(organization: OrganizationId): Promise<OrganizationPolicy | null>
}

const age = 1_000

/** Reads policies from the store and caches them for a second. So a stricter policy takes effect within that time. */
export function currentPolicies({ policies }: Pick<Store, 'policies'>, clock: Clock): CurrentPolicies {
  const fresh = new TtlCache<OrganizationPolicy | null>(clock, age, 10_000)
  const set = (organization: OrganizationId): Promise<OrganizationPolicy | null> =>
    fresh.get(organization, () => policies.get(systemScope, organization))
  return { set, get: async (organization) => (organization === null ? null : await set(organization))?.policy ?? defaultPolicy }
}
