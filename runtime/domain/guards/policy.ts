import type { OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import { defaultQuotas, type Quotas } from './quota.ts'

/** Whether people are asked before a call: each time, or never. */
export const policyAnswers = ['ask', 'none'] as const
export type PolicyAnswer = (typeof policyAnswers)[number]

/** The most that one run may change; null: as much as its playbook allows. */
export interface ImpactLimits {
  /** Calls of `high` skills. */
  readonly high: number | null
  /** Calls of `write` skills. */
  readonly write: number | null
  /** Different targets of both. */
  readonly targets: number | null
}

/** When people are asked before a call that no `approve` step covers. */
interface PolicyApprovals {
  /** Calls of `high` skills. */
  readonly high: PolicyAnswer
  /** By `<integration>.<skill>`: goes before `high`. */
  readonly skills: Readonly<Record<string, PolicyAnswer>>
  /** Who may answer (see `mayAnswer`). */
  readonly by: readonly string[]
  /** So many different principals must approve. */
  readonly approvers: number
  /** How long they have to answer. */
  readonly expires: Millis
}

/** Things that no call may change: nothing that acts on one of them is sent. */
export interface ProtectedRule {
  /** Targets as skills render them; compared after NFKC, trimming and lower case. */
  readonly names: readonly string[]
  /** RE2, looked for anywhere in a target, without regard to case; null: the names alone. */
  readonly pattern: string | null
  /** `<integration>.<skill>`; null: all that change something. */
  readonly skills: readonly string[] | null
  readonly reason: string
}

/** When an organization is asked before something is changed, and how much may be changed. */
export interface Policy {
  readonly approvals: PolicyApprovals
  readonly limits: {
    /** Of one run. */
    readonly impact: ImpactLimits
    /** Of the organization. */
    readonly quotas: Quotas
    /** By `<integration>.<skill>`: how long what one call sets may last; null: any span. Of a skill that is not named its own maximum holds. */
    readonly spans: Readonly<Record<string, Millis | null>>
  }
  readonly protected: readonly ProtectedRule[]
}

/** Of an organization that has set none. */
export const defaultPolicy: Policy = {
  approvals: { high: 'ask', skills: {}, by: ['approver'], approvers: 1, expires: 86_400_000 },
  limits: { impact: { high: null, write: null, targets: null }, quotas: defaultQuotas, spans: {} },
  protected: [],
}

/** Of a walk that changes nothing: no quota, and nothing protected. */
export const unlimitedPolicy: Policy = {
  ...defaultPolicy,
  limits: { ...defaultPolicy.limits, quotas: { high: null, write: null, skills: {} } },
}

/** The policy of an organization, as somebody set it. */
export interface OrganizationPolicy {
  readonly organization: OrganizationId
  /** 1 for the first; rises with every change. */
  readonly revision: number
  /** The YAML as it was written. */
  readonly text: string
  /** What it says, with every default filled in. */
  readonly policy: Policy
  readonly changedAt: Millis
  readonly changedBy: PrincipalId
}

/**
 * What of a policy a run keeps to, fixed when it starts. `revision` 0: the default. Quotas and protected entities are not among it: they
 * hold as they stand when something is about to be sent.
 */
export interface PinnedPolicy {
  readonly revision: number
  readonly approvals: PolicyApprovals
  readonly limits: { readonly impact: ImpactLimits }
}

export function pinnedPolicy(standing: OrganizationPolicy | null): PinnedPolicy {
  const { approvals, limits } = standing?.policy ?? defaultPolicy
  return { revision: standing?.revision ?? 0, approvals, limits: { impact: limits.impact } }
}

/** How long what one call of a skill sets may last; null: any span; undefined: the policy does not say. */
export function spanOf({ limits: { spans } }: Pick<Policy, 'limits'>, skill: string): Millis | null | undefined {
  return Object.hasOwn(spans, skill) ? spans[skill] : undefined
}

/** Whether people are asked before a call of a skill that no `approve` step covers. Reads are never asked about. */
export function policyAsks({ approvals }: Pick<Policy, 'approvals'>, skill: string, impact: 'read' | 'write' | 'high'): boolean {
  if (impact === 'read') return false
  const named = Object.hasOwn(approvals.skills, skill) ? approvals.skills[skill] : undefined
  return (named ?? (impact === 'high' ? approvals.high : 'none')) === 'ask'
}

/** The counts by which more may be changed than is allowed. */
export interface OverLimit {
  readonly name: keyof ImpactLimits
  readonly most: number
  readonly limit: number
}

/** Where something is more than the limits allow. */
export function overLimits(limits: ImpactLimits, counts: Readonly<Record<keyof ImpactLimits, number>>): readonly OverLimit[] {
  return (['high', 'write', 'targets'] as const).flatMap((name) => {
    const limit = limits[name]
    return limit !== null && counts[name] > limit ? [{ name, most: counts[name], limit }] : []
  })
}
