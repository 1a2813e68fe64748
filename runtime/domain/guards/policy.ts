import { defaultServiceLevels, type ServiceLevels } from '../cases/service-levels.ts'
import type { OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import { defaultQuotas, type Quotas } from './quota.ts'

/** Whether people are asked before each call, or never. */
export const policyAnswers = ['ask', 'none'] as const
export type PolicyAnswer = (typeof policyAnswers)[number]

/** The most that one run may change. Null: as much as its playbook allows. */
export interface ImpactLimits {
  /** Calls of `high` skills. */
  readonly high: number | null
  /** Calls of `write` skills. */
  readonly write: number | null
  /** Distinct targets of both. */
  readonly targets: number | null
}

/** When people are asked before a call that no `approve` step covers. */
interface PolicyApprovals {
  /** For calls of `high` skills. */
  readonly high: PolicyAnswer
  /** Keyed by `<integration>.<skill>`. Overrides `high`. */
  readonly skills: Readonly<Record<string, PolicyAnswer>>
  /** Who may answer (see `mayAnswer`). */
  readonly by: readonly string[]
  /** How many different people must approve. */
  readonly approvers: number
  /** How long they have to answer. */
  readonly expires: Millis
}

/** Protected entities. No call that acts on one of them is sent. */
export interface ProtectedRule {
  /** Targets as skills render them. Compared after NFKC, trimming and lower case. */
  readonly names: readonly string[]
  /** An RE2 pattern that may match anywhere in a target, ignoring case. Null: only the names are compared. */
  readonly pattern: string | null
  /** The skills it applies to, as `<integration>.<skill>`. Null: all that change something. */
  readonly skills: readonly string[] | null
  readonly reason: string
}

/** When an organization wants to be asked before a change, and how much may change. */
export interface Policy {
  readonly approvals: PolicyApprovals
  readonly limits: {
    /** The most changes of one run. */
    readonly impact: ImpactLimits
    /** How often skills may be called in the whole organization. */
    readonly quotas: Quotas
    /**
     * Keyed by `<integration>.<skill>`: how long the effect of one call may last. Null: any span. If a skill is
     * absent, its own maximum applies.
     */
    readonly spans: Readonly<Record<string, Millis | null>>
  }
  readonly protected: readonly ProtectedRule[]
  /** How soon people must act on a case, and close it. */
  readonly serviceLevels: ServiceLevels
}

/** Used if an organization has set no policy. */
export const defaultPolicy: Policy = {
  approvals: { high: 'ask', skills: {}, by: ['approver'], approvers: 1, expires: 86_400_000 },
  limits: { impact: { high: null, write: null, targets: null }, quotas: defaultQuotas, spans: {} },
  protected: [],
  serviceLevels: defaultServiceLevels,
}

/** Used for an execution that changes nothing: no quotas and no protected entities. */
export const unlimitedPolicy: Policy = {
  ...defaultPolicy,
  limits: { ...defaultPolicy.limits, quotas: { high: null, write: null, skills: {} } },
}

/** The policy of an organization, as somebody set it. */
export interface OrganizationPolicy {
  readonly organization: OrganizationId
  /** 1 for the first policy. Rises with every change. */
  readonly revision: number
  /** The YAML as it was written. */
  readonly text: string
  /** The parsed policy, with every default filled in. */
  readonly policy: Policy
  readonly changedAt: Millis
  readonly changedBy: PrincipalId
}

/**
 * The part of a policy that is fixed when a run starts. `revision` 0 is the default policy. Quotas and
 * protected entities are not pinned: the current ones apply whenever something is about to be sent.
 */
export interface PinnedPolicy {
  readonly revision: number
  readonly approvals: PolicyApprovals
  readonly limits: { readonly impact: ImpactLimits }
}

/**
 * Returns what a new run pins of a policy: approvals and the impact limits.
 * @param standing null: the organization has none, so the defaults count
 */
export function pinnedPolicy(standing: OrganizationPolicy | null): PinnedPolicy {
  const { approvals, limits } = standing?.policy ?? defaultPolicy
  return { revision: standing?.revision ?? 0, approvals, limits: { impact: limits.impact } }
}

/** Returns how long the effect of one call of a skill may last. Null: any span. Undefined: the policy does not say. */
export function spanOf({ limits: { spans } }: Pick<Policy, 'limits'>, skill: string): Millis | null | undefined {
  return Object.hasOwn(spans, skill) ? spans[skill] : undefined
}

/**
 * Returns whether people are asked before a call of a skill that no `approve` step covers. They are never
 * asked about reads.
 */
export function policyAsks({ approvals }: Pick<Policy, 'approvals'>, skill: string, impact: 'read' | 'write' | 'high'): boolean {
  if (impact === 'read') return false
  const named = Object.hasOwn(approvals.skills, skill) ? approvals.skills[skill] : undefined
  return (named ?? (impact === 'high' ? approvals.high : 'none')) === 'ask'
}

/** A limit of the policy that is exceeded, and by what count. */
export interface OverLimit {
  readonly name: keyof ImpactLimits
  readonly most: number
  readonly limit: number
}

/** Returns the limits that the counts exceed. */
export function overLimits(limits: ImpactLimits, counts: Readonly<Record<keyof ImpactLimits, number>>): readonly OverLimit[] {
  return (['high', 'write', 'targets'] as const).flatMap((name) => {
    const limit = limits[name]
    return limit !== null && counts[name] > limit ? [{ name, most: counts[name], limit }] : []
  })
}
