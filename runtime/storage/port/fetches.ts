import type { AlertFetch, FetchId, FetchState, Millis, OrganizationId, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

/** A fetch, and how far it has come. */
export interface KnownFetch {
  readonly fetch: AlertFetch
  readonly state: FetchState
  /** When the attempt began that has the lease now, in store time. Absent: nobody has it. */
  readonly begunAt?: Millis
}

interface FetchLease {
  /** Names the lease. Unique to this call. */
  readonly holder: string
  /** How long only the holder may settle the attempt, in store time. */
  readonly duration: Millis
}

/**
 * Fetches belong to the organization whose alerts they bring. A new fetch is due at once, and after each attempt
 * it is due again after a delay.
 */
export interface FetchStore {
  /** @throws TocsinError `organization_forbidden` */
  create(scope: Scope, fetch: AlertFetch, state: FetchState): Promise<void>
  get(scope: Scope, id: FetchId): Promise<KnownFetch | null>
  /** Sorts by id, ascending. */
  list(scope: Scope, page: { readonly after: FetchId | null; readonly limit: number }): Promise<Page<KnownFetch>>
  /** Returns how many fetches an organization has, including disabled ones. */
  count(scope: Scope, organization: OrganizationId): Promise<number>
  /** Returns how many fetches are enabled and failed in their last attempt. */
  failing(scope: Scope): Promise<number>
  /**
   * Replaces the fetch whose revision is `next.revision - 1`, and makes it due at once. Ends the lease of an
   * attempt, which then cannot settle. `since`: fetch again from this time; null leaves the state as it is.
   * Returns `changed` if the revision is another one, or the fetch is missing or out of scope.
   */
  revise(scope: Scope, next: AlertFetch, since: Millis | null): Promise<'revised' | 'changed'>
  /** Returns false if there is no such fetch in scope. */
  remove(scope: Scope, id: FetchId): Promise<boolean>
  /**
   * Makes a fetch due at once, but not before `spacing` after its last attempt ended. Returns false if there is no
   * such fetch in scope.
   */
  hurry(scope: Scope, id: FetchId, spacing: Millis): Promise<boolean>
  /** Returns enabled fetches that are due and that nobody has leased: at most `limit`, those due longest first. */
  due(scope: Scope, limit: number): Promise<readonly FetchId[]>
  /** Leases a fetch for one attempt, and returns it as it was before. Null if it is not due, disabled, leased by another, or missing. */
  lease(scope: Scope, id: FetchId, lease: FetchLease): Promise<KnownFetch | null>
  /** Makes a lease last `duration` from now, in store time. Returns false if it is over. */
  extend(scope: Scope, id: FetchId, lease: FetchLease): Promise<boolean>
  /**
   * Records how far a leased fetch has come, and ends the lease. The fetch is due after `delay`, in store time.
   * Returns false and changes nothing if the lease was ended or taken by another.
   */
  settle(scope: Scope, id: FetchId, holder: string, state: FetchState, delay: Millis): Promise<boolean>
}
