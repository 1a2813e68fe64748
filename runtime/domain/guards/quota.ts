import type { Millis } from '../seams.ts'

/** So many calls of one skill in any span of that length. */
export interface Quota {
  readonly calls: number
  readonly per: Millis
}

/** The quotas of an organization, each of one skill; null: no quota. */
export interface Quotas {
  /** Of each `high` skill. */
  readonly high: Quota | null
  /** Of each `write` skill. */
  readonly write: Quota | null
  /** By `<integration>.<skill>`: goes before both. */
  readonly skills: Readonly<Record<string, Quota | null>>
}

/** Of an organization that has said nothing of them. */
export const defaultQuotas: Quotas = { high: { calls: 20, per: 3_600_000 }, write: null, skills: {} }

/** The longest span of a quota; what is longer ago is forgotten. */
export const longestQuota: Millis = 7 * 86_400_000
/** The most calls of a quota; of more only the latest are remembered. */
export const largestQuota = 10_000

/** The quota of a skill; null: it has none, as reads have none. */
export function quotaOf(quotas: Quotas, skill: string, impact: 'read' | 'write' | 'high'): Quota | null {
  if (impact === 'read') return null
  return Object.hasOwn(quotas.skills, skill) ? (quotas.skills[skill] ?? null) : quotas[impact]
}

/** How full a quota is. */
export interface QuotaUse {
  /** Calls within the span that ends now. */
  readonly calls: number
  /** The first of them; null: none. */
  readonly since: Millis | null
}
