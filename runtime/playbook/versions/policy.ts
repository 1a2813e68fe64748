import { type OrganizationId, type OverLimit, overLimits, systemScope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import type { Impact } from '../impact/index.ts'
import type { Candidate } from './candidate.ts'
import { organizationsWithOwn } from './own.ts'
import type { PlaybookPlace } from './place.ts'

/** The limits of an organization's policy that a playbook's worst case exceeds. */
export interface OverPolicy {
  readonly organization: OrganizationId
  readonly exceeded: readonly OverLimit[]
}

/**
 * Refuses playbooks of an organization that may exceed its policy. Shared playbooks pass, because
 * they need not suit every organization: `policiesExceeded` reports them, and runs keep to the
 * policy.
 *
 * @throws TocsinError `policy_exceeded`
 */
export async function keepToPolicy(
  { policies }: Pick<Store, 'policies'>,
  candidates: readonly Candidate[],
  organization: OrganizationId | null,
): Promise<void> {
  const policy = organization === null ? null : await policies.get(systemScope, organization)
  if (policy === null) return
  const { impact: limits } = policy.policy.limits
  const places = candidates.flatMap(({ file, impact }) =>
    overLimits(limits, impact).map((over) => ({ field: `limits.impact.${over.name}`, file, message: sentence(over) })),
  )
  const [first] = places
  if (!first) return
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : ''
  throw new TocsinError('policy_exceeded', `${first.file}: ${first.field}: ${first.message}${more}`, places)
}

function sentence({ most, limit }: OverLimit): string {
  const count = most >= Number.MAX_SAFE_INTEGER ? 'any number' : String(most)
  return `a run may reach ${count}, but the organization's policy allows ${limit}`
}

/** Returns the organizations that use a shared playbook and whose policy allows less than its worst case. */
export async function policiesExceeded(
  { policies, artifacts }: Pick<Store, 'policies' | 'artifacts'>,
  impact: Impact,
  places: readonly PlaybookPlace[],
): Promise<readonly OverPolicy[]> {
  const over = (await policies.all(systemScope)).flatMap(({ organization, policy }) => {
    const exceeded = overLimits(policy.limits.impact, impact)
    return exceeded.length > 0 ? [{ organization, exceeded }] : []
  })
  if (over.length === 0) return []
  const unconcerned = await organizationsWithOwn({ artifacts }, places)
  return over.filter(({ organization }) => !unconcerned.has(organization))
}
