import type { Millis, OrganizationId, OrganizationPolicy, Pause, PauseAct, PauseId, Quota, QuotaUse, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

interface PauseQuery {
  /** `true`: active pauses only. `false`: ended pauses only. Absent: both. */
  readonly standing?: boolean
  /**
   * The position of the last item of the previous page. Newest first: sorts by the time of the pause, then
   * id, descending.
   */
  readonly after: { readonly pausedAt: Millis; readonly id: PauseId } | null
  readonly limit: number
}

/**
 * Active and ended pauses. No pause is ever removed. A scope sees the pauses of its organizations and those
 * of all organizations. Only a scope of all organizations may begin or end the latter.
 */
export interface PauseStore {
  /**
   * Begins a pause. If the same target is already paused, nothing changes. Returns the active pause.
   * @throws TocsinError `organization_forbidden`
   */
  begin(scope: Scope, pause: Pause): Promise<Pause>
  /**
   * Ends a pause. A pause that has already ended does not change. Returns the ended pause. Null if there is
   * none in scope.
   */
  end(scope: Scope, id: PauseId, resumed: PauseAct): Promise<Pause | null>
  /** Returns all active pauses, oldest first. Includes every pause whose `begin` resolved before this call. */
  standing(scope: Scope): Promise<readonly Pause[]>
  get(scope: Scope, id: PauseId): Promise<Pause | null>
  list(scope: Scope, query: PauseQuery): Promise<Page<Pause>>
}

/** The policies that organizations have set. Every revision is kept. */
export interface PolicyStore {
  /** Returns the current policy. Null if the organization has set none or is out of scope. */
  get(scope: Scope, organization: OrganizationId): Promise<OrganizationPolicy | null>
  /** Returns a revision of a policy. Null if there is none, or the organization is out of scope. */
  revision(scope: Scope, organization: OrganizationId, revision: number): Promise<OrganizationPolicy | null>
  /** Returns the current policy of every organization in scope that has set one, sorted by organization. */
  all(scope: Scope): Promise<readonly OrganizationPolicy[]>
  /**
   * Stores the next revision of a policy. Returns `changed` unless `next.revision` is the stored revision + 1
   * (1 for the first policy).
   * @throws TocsinError `organization_forbidden`
   */
  set(scope: Scope, next: OrganizationPolicy): Promise<'set' | 'changed'>
  /**
   * Returns the latest revisions of the policy, newest first: at most `limit`, and at most as many as fit
   * into a page. Empty if the organization is out of scope.
   */
  history(scope: Scope, organization: OrganizationId, limit: number): Promise<readonly OrganizationPolicy[]>
}

/** One call, as the quota of its skill counts it. */
export interface QuotaCall {
  /** Null: the call belongs to no organization. Only a scope of all organizations may count it. */
  readonly organization: OrganizationId | null
  /** `<integration>.<skill>` */
  readonly skill: string
  /** Names the call. Each try of the same call has the same key. */
  readonly key: string
  readonly quota: Quota
  /** Whether to count the call even if the quota is full. */
  readonly anyway: boolean
}

export interface QuotaCounted extends QuotaUse {
  /** Whether the call was counted. `calls` and `since` do not include it. */
  readonly counted: boolean
}

/** A quota whose use is asked for. */
interface QuotaSpan {
  readonly skill: string
  readonly per: Millis
}

/**
 * The calls that quotas have counted. Times are store time. Calls older than the longest quota are deleted.
 * For each skill of an organization, only as many of the latest calls are kept as the largest quota allows.
 */
export interface QuotaStore {
  /**
   * Counts a call if the quota has room in its period, which ends now. However many callers ask at once, no
   * period of that length has more calls than the quota, except those counted with `anyway`. A call that was
   * already counted in this period is not counted twice: it moves to the current time.
   * @throws TocsinError `organization_forbidden`
   */
  count(scope: Scope, call: QuotaCall): Promise<QuotaCounted>
  /**
   * Returns how full the quotas of an organization are, in the order of `spans`. `organization` is null for
   * calls that belong to no organization. Returns zeros if the organization is out of scope.
   */
  usage(scope: Scope, organization: OrganizationId | null, spans: readonly QuotaSpan[]): Promise<readonly QuotaUse[]>
}
