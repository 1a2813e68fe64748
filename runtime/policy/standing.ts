import { type Clock, defaultPolicy, type OrganizationId, type OrganizationPolicy, type Policy, systemScope } from '../domain/index.ts'
import { Fresh, type Store } from '../storage/index.ts'

/** The policies of organizations as they stand now. */
export interface StandingPolicies {
  /** Null: no organization's, for which the default holds. @throws the store's error */
  get(organization: OrganizationId | null): Promise<Policy>
  /** The one that was set; null: none. */
  set(organization: OrganizationId): Promise<OrganizationPolicy | null>
}

const age = 1_000

/** Policies of the store, at most a second old: who sets one brakes within that time. */
export function standingPolicies({ policies }: Pick<Store, 'policies'>, clock: Clock): StandingPolicies {
  const fresh = new Fresh<OrganizationPolicy | null>(clock, age, 10_000)
  const set = (organization: OrganizationId): Promise<OrganizationPolicy | null> =>
    fresh.get(organization, () => policies.get(systemScope, organization))
  return { set, get: async (organization) => (organization === null ? null : await set(organization))?.policy ?? defaultPolicy }
}
