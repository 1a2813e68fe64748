import type { Act, ActId, ApiKey, KeyId, Millis, Organization, OrganizationId, Principal, PrincipalId, Provider, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface OrganizationStore {
  /**
   * Returns `exists` if another organization has this code. The comparison ignores case. The scope must cover
   * all organizations.
   * @throws TocsinError `organization_forbidden` if the scope covers less
   */
  create(scope: Scope, organization: Organization): Promise<'created' | 'exists'>
  /** Finds organizations by their exact codes. The comparison is case-sensitive. Unknown codes are skipped. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Organization[]>
  byId(scope: Scope, ids: readonly OrganizationId[]): Promise<readonly Organization[]>
  /** Sorts by code in lower case, ascending. `after` is the lower-case code of the last item of the previous page. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Organization>>
}

/** How many keys are valid for an organization. Null: these keys are valid for all organizations. */
export interface KeyCount {
  readonly organization: OrganizationId | null
  readonly keys: number
}

/**
 * Principals and their keys. A scope sees a principal if it covers all of the principal's organizations. Only
 * a scope of all organizations sees a principal of all organizations.
 */
export interface PrincipalStore {
  create(scope: Scope, principal: Principal): Promise<void>
  byId(scope: Scope, ids: readonly PrincipalId[]): Promise<readonly Principal[]>
  /**
   * Returns `exists` if a key with the same hash or id is stored already.
   * @throws TocsinError `organization_forbidden` if the principal is missing or out of scope
   */
  addKey(scope: Scope, key: ApiKey): Promise<'added' | 'exists'>
  /**
   * Returns the key with this hash, unless it is revoked, and its principal. Null if there is none. The key may
   * have expired. The caller passes the system's scope, because the principal's scope is not known yet.
   */
  keyByHash(scope: Scope, hash: string): Promise<{ readonly key: ApiKey; readonly principal: Principal } | null>
  /** Returns a key and its principal, even if the key is revoked. Null if there is no such key in scope. */
  keyById(scope: Scope, id: KeyId): Promise<{ readonly key: ApiKey; readonly principal: Principal } | null>
  /**
   * Returns the one of these organizations for which most keys are valid at that time, and how many. A key that
   * is valid for several organizations counts for each. `all`: the keys of all organizations, with null.
   */
  mostKeys(scope: Scope, organizations: Principal['organizations'], at: Millis): Promise<KeyCount>
  /** Sorts by key id, newest first. Includes revoked keys. `after` is the id of the last key of the previous page. */
  listKeys(
    scope: Scope,
    page: { readonly after: KeyId | null; readonly limit: number },
  ): Promise<Page<{ readonly key: ApiKey; readonly principal: Principal }>>
  /**
   * Returns the revoked key. Revoking it again keeps the time of the first revocation. Null if there is no
   * such key in scope.
   */
  revokeKey(scope: Scope, id: KeyId, at: Millis): Promise<ApiKey | null>
  /** Notes that a key worked at this time. An earlier time than the noted one changes nothing, nor does an unknown key. */
  noteKeyUse(scope: Scope, id: KeyId, at: Millis): Promise<void>
}

/** Providers belong to the whole platform, so every scope sees all of them. */
export interface ProviderStore {
  create(scope: Scope, provider: Provider): Promise<'created' | 'exists'>
  /** Ignores case. Unknown codes are skipped. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Provider[]>
  /** Sorts by code in lower case, ascending. `after` is the lower-case code of the last item of the previous page. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Provider>>
}

/** Small facts about the installation, such as the id of its vault key. */
export interface SettingStore {
  /** Stores the value unless the setting already has one. Returns the stored value. */
  settle(scope: Scope, name: string, value: string): Promise<string>
  /** Replaces the value of a setting. Returns false if it had another value than `from`, or none. */
  replace(scope: Scope, name: string, from: string, to: string): Promise<boolean>
}

/** Which acts to list. Absent: all. */
export interface ActFilter {
  /** Who: the id of a principal, or its name at that time. */
  readonly by?: string
  readonly action?: string
  /** A name or id that the act's details must contain, exactly (`namesIn`). */
  readonly about?: string
  /** The earliest time. */
  readonly from?: Millis
  /** The time before which an act must be. */
  readonly before?: Millis
}

export interface ActPage extends ActFilter {
  readonly after: { readonly at: Millis; readonly id: ActId } | null
  readonly limit: number
}

/**
 * The audit log. It belongs to those who run the installation, so only a scope of all organizations adds to it or
 * reads it. Nothing changes an act. Acts older than `actsKeptFor` are deleted.
 */
export interface ActStore {
  /**
   * Adds an act. Adding it again changes nothing.
   * @throws TocsinError `organization_forbidden` if the scope covers less than all organizations
   */
  add(scope: Scope, act: Act): Promise<void>
  /** Sorts by time, newest first. Empty if the scope covers less than all organizations. */
  list(scope: Scope, page: ActPage): Promise<Page<Act>>
}
