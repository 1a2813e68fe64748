import { type OrganizationId, type OverLimit, overLimits, systemScope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import type { Impact } from '../impact/index.ts'
import type { Candidate } from './candidate.ts'
import { organizationsWithOwn } from './own.ts'
import type { PlaybookPlace } from './place.ts'

/** Where an organization's policy allows less than the worst case of a playbook. */
export interface OverPolicy {
  readonly organization: OrganizationId
  readonly exceeded: readonly OverLimit[]
}

/**
 * An organization's own playbooks keep to its policy. A shared one may not suit everybody: there it is said, and runs are held to the policy.
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
  return `a run may come to ${count}, and the organization's policy allows ${limit}`
}

/** The organizations whose policy allows less, of those for which what is shared in one of these places is run. */
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
