import type {
  Connection,
  ConnectionId,
  ConnectionRevision,
  ConnectionTest,
  KeptToken,
  Millis,
  OrganizationId,
  Scope,
  TokenRefusal,
} from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface ConnectionQuery {
  /** Only connections of these organizations, without shared ones. Absent: all in scope, and shared ones. */
  readonly organizations?: readonly OrganizationId[]
  readonly integrations?: readonly string[]
  readonly after: ConnectionId | null
  readonly limit: number
}

/**
 * A connection without an organization is shared. Every scope sees it. Only a scope of all organizations may
 * change it.
 */
export interface ConnectionStore {
  /**
   * Returns `exists` if the organization (or the shared connections) already has this instance name. Returns
   * `default_exists` if the new connection is a default, and there is already a default for its integration.
   * Instance names are case-sensitive.
   * @throws TocsinError `organization_forbidden`
   */
  create(scope: Scope, connection: Connection): Promise<'created' | 'exists' | 'default_exists'>
  byId(scope: Scope, ids: readonly ConnectionId[]): Promise<readonly Connection[]>
  /**
   * Returns the organization's own connections and the shared ones, sorted by id. Empty if the organization
   * is out of scope.
   */
  forOrganization(scope: Scope, organization: OrganizationId): Promise<readonly Connection[]>
  /** Sorts by id, ascending. */
  list(scope: Scope, page: ConnectionQuery): Promise<Page<Connection>>
  /**
   * Replaces the connection whose revision is `next.revision - 1`. Returns `changed` if the revision is
   * another one, or the connection is missing or out of scope. `exists` and `default_exists` are as in
   * `create`.
   */
  revise(scope: Scope, next: Connection): Promise<'revised' | 'changed' | 'exists' | 'default_exists'>
  /**
   * Stores a test result on the connection, if it still has exactly this revision. The revision does not
   * change. Returns false if there is no such connection that the scope may change.
   */
  noteTest(scope: Scope, tested: Pick<Connection, 'id' | 'revision'>, result: ConnectionTest): Promise<boolean>
  /**
   * Replaces the encrypted secrets of the connection by the same ones, re-encrypted, if it still has exactly
   * this revision. The revision does not change. Returns false if there is no such connection that the scope may
   * change.
   */
  reseal(scope: Scope, resealed: Pick<Connection, 'id' | 'revision' | 'secrets'>): Promise<boolean>
  remove(scope: Scope, id: ConnectionId): Promise<boolean>
}

/** A request for the lease to renew an access token. */
export interface TokenLease {
  /** The version of the token that no longer works. 0 if the caller has seen none. */
  readonly seen: number
  /** Names the lease. Unique to this renewal. */
  readonly holder: string
  /** The lease lasts this long, in store time, unless it is ended earlier. */
  readonly duration: Millis
  /** Whether to ignore a remembered refusal and ask the external system again. */
  readonly anew: boolean
}

type LeaseResult =
  /** The caller has the lease and must ask for a token. */
  | { readonly kind: 'taken' }
  /** Another lease is active. */
  | { readonly kind: 'held' }
  /** There is a newer token than the seen one. */
  | { readonly kind: 'newer'; readonly token: KeptToken }
  /** The external system refused a moment ago. */
  | { readonly kind: 'refused'; readonly refusal: TokenRefusal }
  /** There is no connection of this revision in scope. */
  | { readonly kind: 'gone' }

/**
 * Access tokens, each for one revision of one connection, and the lease of the process that renews the token.
 * A scope that sees a connection, shared or not, may use and renew its token. When the connection changes or
 * is removed, its token, lease and refusal are deleted.
 */
export interface TokenStore {
  /**
   * Returns null if there is no token, or no connection of this revision in scope. An expired token is
   * returned too.
   */
  get(scope: Scope, connection: ConnectionRevision): Promise<KeptToken | null>
  /**
   * Takes the lease. Fails if there is a newer token than the seen one, another lease is active, or a refusal
   * is remembered (unless `anew` is set). Taking the lease forgets a refusal.
   */
  lease(scope: Scope, connection: ConnectionRevision, lease: TokenLease): Promise<LeaseResult>
  /**
   * Stores the token that the holder of the lease received, and ends the lease. Returns the token with its
   * new version. Null if the caller no longer has the lease.
   */
  put(scope: Scope, connection: ConnectionRevision, holder: string, token: Omit<KeptToken, 'version'>): Promise<KeptToken | null>
  /**
   * Ends the holder's lease without a new token. Remembers a refusal for `duration`, in store time. Keeps the
   * stored token. Does nothing if another holder has the lease.
   */
  release(scope: Scope, connection: ConnectionRevision, holder: string, refused: RememberedRefusal | null): Promise<void>
}

interface RememberedRefusal {
  readonly refusal: TokenRefusal
  readonly duration: Millis
}
