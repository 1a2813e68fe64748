import type { Millis, OrganizationId, OrganizationPolicy, Pause, PauseAct, PauseId, Quota, QuotaUse, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

interface PauseQuery {
  /** True: those that stand; false: those that are over; absent: both. */
  readonly standing?: boolean
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly pausedAt: Millis; readonly id: PauseId } | null
  readonly limit: number
}

/** What is paused, and what was: none is ever removed. A scope sees those of its organizations and those that concern all; only a scope of all begins and ends the latter. */
export interface PauseStore {
  /** Begins it, unless one of the same target stands. Returns what stands. */
  begin(scope: Scope, pause: Pause): Promise<Pause>
  /** Ends it; one that is over stays as it was. Null: there is none in scope. */
  end(scope: Scope, id: PauseId, resumed: PauseAct): Promise<Pause | null>
  /** All that stand. Sees every pause whose `begin` was answered before it was asked. */
  standing(scope: Scope): Promise<readonly Pause[]>
  get(scope: Scope, id: PauseId): Promise<Pause | null>
  list(scope: Scope, query: PauseQuery): Promise<Page<Pause>>
}

/** What organizations have set as their policy; every revision is kept. */
export interface PolicyStore {
  /** The current policy; null: the organization has set none, or is out of scope. */
  get(scope: Scope, organization: OrganizationId): Promise<OrganizationPolicy | null>
  /** The current policy of every organization that has set one. */
  all(scope: Scope): Promise<readonly OrganizationPolicy[]>
  /** Compare-and-set: `next.revision` is the standing revision + 1 (1 where there is none). 'changed' when it is not. */
  set(scope: Scope, next: OrganizationPolicy): Promise<'set' | 'changed'>
  /** The latest revisions of the policy, newest first: at most `limit`, and no more than fit into a page. */
  history(scope: Scope, organization: OrganizationId, limit: number): Promise<readonly OrganizationPolicy[]>
}

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
interface QuotaSpan {
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
