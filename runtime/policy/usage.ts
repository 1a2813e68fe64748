import { type OrganizationId, type Policy, type Quota, type QuotaUse, quotaOf, type Scope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import type { KnownSkills } from './read.ts'

/** One quota of an organization, and how much of it is used. */
export interface QuotaReport {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly impact: 'write' | 'high'
  readonly quota: Quota
  readonly use: QuotaUse
  /** Calls that wait for people to allow them. */
  readonly waiting: number
}

/** Returns every quota that an organization has for the loaded skills, sorted by skill. */
export async function quotaReports(
  store: Pick<Store, 'quotas' | 'decisions'>,
  scope: Scope,
  organization: OrganizationId,
  { limits }: Pick<Policy, 'limits'>,
  skills: KnownSkills,
): Promise<readonly QuotaReport[]> {
  const limited = [...skills].flatMap(([skill, { impact }]) => {
    const quota = quotaOf(limits.quotas, skill, impact)
    return quota === null || impact === 'read' ? [] : [{ skill, impact, quota }]
  })
  const named = limited.toSorted((a, b) => (a.skill < b.skill ? -1 : 1))
  const spans = named.map(({ skill, quota }) => ({ skill, per: quota.per }))
  const uses = await store.quotas.usage(scope, organization, spans)
  const waiting = await Promise.all(named.map(({ skill }) => store.decisions.waiting(scope, organization, skill)))
  return named.map((one, index) => ({ ...one, use: uses[index] ?? { calls: 0, since: null }, waiting: waiting[index] ?? 0 }))
}
