import type { Connection, ConnectionId, ConnectionTest, OrganizationId, Scope } from '../../domain/index.ts'
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
