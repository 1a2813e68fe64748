import type { ApiKey, KeyId, Millis, Organization, OrganizationId, Principal, PrincipalId, Provider, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface OrganizationStore {
  /** 'exists' when the code is taken, in any case. Needs a scope of all organizations. */
  create(scope: Scope, organization: Organization): Promise<'created' | 'exists'>
  /** Exact codes; the absent are left out. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Organization[]>
  byId(scope: Scope, ids: readonly OrganizationId[]): Promise<readonly Organization[]>
  /** By folded code, rising. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Organization>>
}

/**
 * Principals and their keys. A scope sees the principals whose organizations lie within it; those of all organizations
 * only a scope of all sees.
 */
export interface PrincipalStore {
  create(scope: Scope, principal: Principal): Promise<void>
  byId(scope: Scope, ids: readonly PrincipalId[]): Promise<readonly Principal[]>
  /** A second key of the same hash is refused ('exists'). */
  addKey(scope: Scope, key: ApiKey): Promise<'added' | 'exists'>
  /** The unrevoked key with this hash, and its principal. Used with the system's scope, because no other is known yet. */
  keyByHash(scope: Scope, hash: string): Promise<{ readonly key: ApiKey; readonly principal: Principal } | null>
  /** A key, revoked or not, with its principal. Null if there is no such key in scope. */
  keyById(scope: Scope, id: KeyId): Promise<{ readonly key: ApiKey; readonly principal: Principal } | null>
  /** Newest first; revoked ones too. */
  listKeys(
    scope: Scope,
    page: { readonly after: KeyId | null; readonly limit: number },
  ): Promise<Page<{ readonly key: ApiKey; readonly principal: Principal }>>
  /** The first revocation's time stands. Null when there is no such key in scope. */
  revokeKey(scope: Scope, id: KeyId, at: Millis): Promise<ApiKey | null>
}

/** Providers belong to the platform: every scope sees all of them. */
export interface ProviderStore {
  create(scope: Scope, provider: Provider): Promise<'created' | 'exists'>
  /** Without regard to case. */
  byCode(scope: Scope, codes: readonly string[]): Promise<readonly Provider[]>
  /** By folded code, rising. */
  list(scope: Scope, page: { readonly after: string | null; readonly limit: number }): Promise<Page<Provider>>
}

/** Small facts of the installation: the id of its vault key, for one. */
export interface SettingStore {
  /** Sets it if it is not set. Returns what stands. */
  settle(scope: Scope, name: string, value: string): Promise<string>
}
