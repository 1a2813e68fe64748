import type { ApiKey, KeyId, Millis, Principal, PrincipalId, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

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
