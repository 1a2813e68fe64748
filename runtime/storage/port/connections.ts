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
  /** Only their own: without the shared ones. */
  readonly organizations?: readonly OrganizationId[]
  readonly integrations?: readonly string[]
  readonly after: ConnectionId | null
  readonly limit: number
}

/** A connection without organization is shared: every scope sees it, only a scope of all changes it. */
export interface ConnectionStore {
  /**
   * 'exists' when the instance name is taken in that organization (or among the shared). 'default_exists' when it is a default and its
   * place (organization, or the shared) has one for the integration already.
   */
  create(scope: Scope, connection: Connection): Promise<'created' | 'exists' | 'default_exists'>
  byId(scope: Scope, ids: readonly ConnectionId[]): Promise<readonly Connection[]>
  /** The organization's own and the shared ones. */
  forOrganization(scope: Scope, organization: OrganizationId): Promise<readonly Connection[]>
  /** By id, rising. */
  list(scope: Scope, page: ConnectionQuery): Promise<Page<Connection>>
  /** Replaces the connection whose revision is `next.revision - 1`. */
  revise(scope: Scope, next: Connection): Promise<'revised' | 'changed' | 'exists' | 'default_exists'>
  /** Keeps a test's result on the connection of exactly this revision, which stays. False when there is none that the scope may change. */
  noteTest(scope: Scope, tested: Pick<Connection, 'id' | 'revision'>, result: ConnectionTest): Promise<boolean>
  remove(scope: Scope, id: ConnectionId): Promise<boolean>
}

/** Who wants to renew an access token. */
export interface TokenLease {
  /** The version that is not good any more; 0: there is none yet. */
  readonly seen: number
  /** Names the lease: unique to this renewal. */
  readonly holder: string
  /** So long, in store time, does the lease last unless it is ended. */
  readonly duration: Millis
  /** Whether to ask the external system even if it refused a moment ago. */
  readonly anew: boolean
}

type LeaseResult =
  /** The caller is the one to ask for a token. */
  | { readonly kind: 'taken' }
  /** Another lease lasts. */
  | { readonly kind: 'held' }
  /** A newer token than the seen one stands. */
  | { readonly kind: 'newer'; readonly token: KeptToken }
  /** The external system refused a moment ago. */
  | { readonly kind: 'refused'; readonly refusal: TokenRefusal }
  /** No connection of this revision is in scope. */
  | { readonly kind: 'gone' }

/**
 * Access tokens, each for one revision of one connection, and the lease of the process that renews it. A scope that sees a connection, shared or not,
 * may use and renew its token. When the connection changes or is removed, its token, lease and refusal are gone.
 */
export interface TokenStore {
  /** Null when there is none, or no connection of this revision is in scope. */
  get(scope: Scope, connection: ConnectionRevision): Promise<KeptToken | null>
  /** Takes the lease when the seen version still stands, no other lease lasts, and no refusal is remembered (or it asks `anew`). */
  lease(scope: Scope, connection: ConnectionRevision, lease: TokenLease): Promise<LeaseResult>
  /** Keeps the token that the lease's holder was given, and ends the lease and what was remembered. Null when another lease was taken meanwhile. */
  put(scope: Scope, connection: ConnectionRevision, holder: string, token: Omit<KeptToken, 'version'>): Promise<KeptToken | null>
  /** Ends the holder's lease without a token, and remembers a refusal for `duration` of store time. The token that stands, stays. Another's lease stays too. */
  release(scope: Scope, connection: ConnectionRevision, holder: string, refused: RememberedRefusal | null): Promise<void>
}

interface RememberedRefusal {
  readonly refusal: TokenRefusal
  readonly duration: Millis
}
