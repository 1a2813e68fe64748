import type { Connection, ConnectionId, Millis, Principal, Scope } from '../domain/index.ts'
import type { Page } from '../storage/index.ts'

/** What a person enters to make a connection (specification 2.4). */
export interface ConnectionDraft {
  /** Unique in its organization. */
  readonly instance: string
  readonly integration: string
  /** Null: shared with every organization, which only a principal of all organizations may create. */
  readonly organizationCode: string | null
  readonly description: string
  /** The integration's credential fields, plain and secret together, by name. */
  readonly credentials: Readonly<Record<string, string | number | boolean>>
  readonly isDefault: boolean
  readonly expiresAt: Millis | null
}

/** A connection as anybody but the vault may see it: of the secrets only the names of those that are set. */
export interface ConnectionView extends Omit<Connection, 'secrets'> {
  /** Null: shared. */
  readonly organizationCode: string | null
  readonly secretsSet: readonly string[]
}

/** Connections as people handle them. */
export interface Connections {
  /**
   * @throws TocsinError `organization_unknown` (also outside the principal's reach), `organization_forbidden` (shared, and the
   *   principal is not of all organizations), `integration_unknown`, `connection_invalid` (each field in `places`,
   *   `credentials.<name>`), `connection_exists`
   */
  create(principal: Principal, draft: ConnectionDraft): Promise<ConnectionView>
  /** The scope's own and the shared ones, by id, rising. */
  list(scope: Scope, page: { readonly after: ConnectionId | null; readonly limit: number }): Promise<Page<ConnectionView>>
  /** Null when not in scope. */
  get(scope: Scope, id: ConnectionId): Promise<ConnectionView | null>
  /** False when there is none in scope that the scope may change. */
  remove(scope: Scope, id: ConnectionId): Promise<boolean>
}
