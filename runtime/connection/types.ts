import type { Connection, ConnectionId, ConnectionTest, Json, Millis, Principal, Scope } from '../domain/index.ts'
import type { CallResult, Skill } from '../plugin/index.ts'
import type { ConnectionQuery, Page } from '../storage/index.ts'

/** What a person enters to make a connection (specification 2.4). */
export interface ConnectionDraft {
  /** Unique in its organization. */
  readonly instance: string
  readonly integration: string
  /**
   * Null: shared with every organization. Only a principal of all organizations may create such a
   * connection.
   */
  readonly organizationCode: string | null
  readonly description: string
  /** The values of the integration's credential fields, plain and secret, by name. */
  readonly credentials: Readonly<Record<string, string | number | boolean>>
  readonly isDefault: boolean
  /**
   * Entries of the form `<playbook>.<slot>`. These slots use this connection before any other of
   * the integration.
   */
  readonly slots: readonly string[]
  readonly expiresAt: Millis | null
  readonly remoteAgent: string | null
  /** One of the integration's roles. */
  readonly role: string | null
  /** A vendor's file, or lines of one, for the fields that the manifest's `paste` names. Null: none. */
  readonly paste: string | null
}

/** What a person changes about a connection. Absent fields stay as they are. */
export interface ConnectionChange extends Partial<Omit<ConnectionDraft, 'integration' | 'organizationCode' | 'credentials' | 'paste'>> {
  /** The revision that the person saw. If it is no longer the current one, nothing is changed. */
  readonly revision: number
  /** The fields that change. Null removes a field. A secret that is not named stays as it is. */
  readonly credentials?: Readonly<Record<string, string | number | boolean | null>>
  readonly paste?: string | null
}

/** A connection as everything but the vault may see it: the names of its secrets, never their values. */
export interface ConnectionView extends Omit<Connection, 'secrets'> {
  /** Null: shared with every organization. */
  readonly organizationCode: string | null
  /** True once `expiresAt` has passed. */
  readonly expired: boolean
  readonly secretsSet: readonly string[]
}

/** Creates, lists, changes and removes connections for people. */
export interface Connections {
  /**
   * @throws TocsinError `organization_unknown` (also if the principal may not see it),
   * `organization_forbidden` (the connection is shared, and the principal is not one of all
   * organizations), `integration_unknown`, `connection_invalid` (with each field in `places`:
   * `credentials.<name>`, `role`, `paste`), `connection_exists`, `connection_default_exists`
   */
  create(principal: Principal, draft: ConnectionDraft): Promise<ConnectionView>
  /** Lists the connections in the scope and the shared ones, by ascending id. */
  list(scope: Scope, page: ConnectionQuery): Promise<Page<ConnectionView>>
  /** Returns null if the connection is not in scope. */
  get(scope: Scope, id: ConnectionId): Promise<ConnectionView | null>
  /**
   * Changes a connection. A change of a field that decides where requests go must include all
   * secrets again.
   * @returns null if the principal may see no such connection
   * @throws TocsinError as `create`, and `connection_changed` if the connection has another
   * revision by now
   */
  revise(principal: Principal, id: ConnectionId, change: ConnectionChange): Promise<ConnectionView | null>
  /** Returns false if there is no such connection, or the scope may not change it. */
  remove(scope: Scope, id: ConnectionId): Promise<boolean>
}

/** One manual call of a skill. */
export interface ManualRun {
  readonly connection: ConnectionId
  /** `<skill>` or `<integration>.<skill>` */
  readonly skill: string
  readonly input: Json
  /** Aborts a read. A write that has begun is not aborted, so that its outcome is known. */
  readonly signal: AbortSignal
  /**
   * Called before anything is sent, so that the log says who called what on which target, even if
   * this process dies during the call.
   */
  begins(call: ManualCall): void
}

/** A manual call, as the log records it. */
export interface ManualCall {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly impact: Skill['impact']
  /** The connection's instance name. */
  readonly instance: string
  /** Null: the connection is shared. */
  readonly organizationCode: string | null
  /**
   * What the call acts on, as the skill's `target` says. Empty if the skill names no target, or the
   * input is invalid.
   */
  readonly targets: readonly string[]
}

/**
 * Calls that people make with a connection, outside any run. The principal must be allowed to
 * change the connection: a shared one acts for every organization, so it needs a principal of all.
 * Nothing is retried.
 */
export interface ManualCalls {
  /**
   * Runs the manifest's test, and its reachability request if it has one. The connection keeps the
   * result.
   * @returns null if the principal may see no such connection
   * @throws TocsinError `organization_forbidden`, `integration_unknown`
   */
  test(principal: Principal, id: ConnectionId, signal: AbortSignal): Promise<ConnectionTest | null>
  /**
   * Runs one skill. Failures are results too, also those from before anything was sent.
   * @returns null if the principal may see no such connection
   * @throws TocsinError `organization_forbidden`, `integration_unknown`, `skill_unknown`,
   * `permission_missing` (a skill that writes needs `connections:write`)
   */
  run(principal: Principal, run: ManualRun): Promise<CallResult | null>
}
