import type { Millis } from '../seams.ts'

/** The most calls of one skill within any span of this length. */
export interface Quota {
  readonly calls: number
  readonly per: Millis
}

/** The quotas of an organization, each for one skill. Null: no quota. */
export interface Quotas {
  /** For each `high` skill. */
  readonly high: Quota | null
  /** For each `write` skill. */
  readonly write: Quota | null
  /** Keyed by `<integration>.<skill>`. Overrides both. */
  readonly skills: Readonly<Record<string, Quota | null>>
}

/** Used if an organization has set no quotas. */
export const defaultQuotas: Quotas = { high: { calls: 20, per: 3_600_000 }, write: null, skills: {} }

/** The longest span of a quota. Older calls are forgotten. */
export const longestQuota: Millis = 7 * 86_400_000
/** The most calls that a quota can allow. Only this many of the latest calls are remembered. */
export const largestQuota = 10_000

/** Returns the quota of a skill. Null if it has none. Reads never have one. */
export function quotaOf(quotas: Quotas, skill: string, impact: 'read' | 'write' | 'high'): Quota | null {
  if (impact === 'read') return null
  return Object.hasOwn(quotas.skills, skill) ? (quotas.skills[skill] ?? null) : quotas[impact]
}

/** How much of a quota is used. */
export interface QuotaUse {
  /** Calls within the span that ends now. */
  readonly calls: number
  /** When the first of them was made. Null if there is none. */
  readonly since: Millis | null
}
