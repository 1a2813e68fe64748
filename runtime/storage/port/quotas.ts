import type { Millis, OrganizationId, Quota, QuotaUse, Scope } from '../../domain/index.ts'

/** One call, as its skill's quota counts it. */
export interface QuotaCall {
  /** Null: no organization's; only the scope of all counts it. */
  readonly organization: OrganizationId | null
  /** `<integration>.<skill>` */
  readonly skill: string
  /** Names the call: the same however often it is tried. */
  readonly key: string
  readonly quota: Quota
  /** Count it though the quota is full. */
  readonly anyway: boolean
}

export interface QuotaCounted extends QuotaUse {
  /** Whether it was counted. What the rest says is as it stood before. */
  readonly counted: boolean
}

/** One quota that is looked at. */
export interface QuotaSpan {
  readonly skill: string
  readonly per: Millis
}

/**
 * The calls that quotas have counted, in store time. Calls longer ago than the longest quota are gone, and of one skill of one
 * organization only so many of the latest are kept as the largest quota has.
 */
export interface QuotaStore {
  /**
   * Counts a call if fewer than the quota's lie within its span that ends now: however many ask at once, no span of that length has more,
   * but for those that are counted anyway. A call that was counted within the span is there already: it stays one, and is as of now.
   */
  count(scope: Scope, call: QuotaCall): Promise<QuotaCounted>
  /** How full quotas of an organization (null: of none) are, in the order in which they are named. Out of scope: as if nothing was counted. */
  usage(scope: Scope, organization: OrganizationId | null, spans: readonly QuotaSpan[]): Promise<readonly QuotaUse[]>
}
