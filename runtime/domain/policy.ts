import type { OrganizationId, PrincipalId } from './ids.ts'
import type { Millis } from './seams.ts'

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

/** When an organization is asked before a playbook changes something, and how much one run of it may change. */
export interface Policy {
  readonly approvals: {
    /** Calls of `high` skills. */
    readonly high: PolicyAnswer
    /** By `<integration>.<skill>`: goes before `high`. */
    readonly skills: Readonly<Record<string, PolicyAnswer>>
    /** Who may answer (see `mayAnswer`). */
    readonly by: readonly string[]
    /** So many different principals must approve. */
    readonly approvers: number
    /** So long may they take. */
    readonly expires: Millis
  }
  readonly limits: { readonly impact: ImpactLimits }
}

/** Of an organization that has set none. */
export const defaultPolicy: Policy = {
  approvals: { high: 'ask', skills: {}, by: ['approver'], approvers: 1, expires: 86_400_000 },
  limits: { impact: { high: null, write: null, targets: null } },
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

/** The policy that a run keeps to, fixed when it starts. `revision` 0: the default. */
export interface PinnedPolicy extends Policy {
  readonly revision: number
}

export function pinnedPolicy(standing: OrganizationPolicy | null): PinnedPolicy {
  return standing ? { revision: standing.revision, ...standing.policy } : { revision: 0, ...defaultPolicy }
}

/** Whether people are asked before a call of a skill that no `approve` step covers. Reads are never asked about. */
export function policyAsks({ approvals }: Policy, skill: string, impact: 'read' | 'write' | 'high'): boolean {
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
