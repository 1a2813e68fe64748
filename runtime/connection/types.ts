import type { Connection, ConnectionId, ConnectionTest, Json, Millis, Principal, Scope } from '../domain/index.ts'
import type { ErrorPlace } from '../errors/index.ts'
import type { CallFailure, CallResult, SchemaFault, Skill } from '../plugin/index.ts'
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
  /** True if `expiresAt` comes within 14 days and has not passed. */
  readonly expiresSoon: boolean
  readonly secretsSet: readonly string[]
}

/** What is in a connection form so far. */
export interface CredentialEntry {
  /** Null removes a field of the connection that is being changed. */
  readonly credentials: Readonly<Record<string, string | number | boolean | null>>
  /** A vendor's file, or lines of one. Null: none. */
  readonly paste: string | null
  readonly role: string | null
}

/** The result of a check, field by field. It has no secret. */
export interface CheckedEntry {
  /** Whether it could be saved. */
  readonly ok: boolean
  /** Every field of the integration, in the order of the form. */
  readonly fields: readonly {
    readonly name: string
    /** Where its value comes from. `kept`: the connection has it already. Null: it has none. */
    readonly source: 'paste' | 'typed' | 'kept' | 'default' | null
    /** Null for a secret. */
    readonly value: string | number | boolean | null
    readonly problem: string | null
  }[]
  /** What is wrong with the rest: the pasted text, the role, a field that does not exist. */
  readonly problems: readonly ErrorPlace[]
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
  /**
   * Checks an entry as `create` or `revise` would, without storing anything.
   * @param id the connection that would change. Null: a new one
   * @returns null if the principal may see no such connection of this integration
   * @throws TocsinError `integration_unknown`, `organization_forbidden`
   */
  check(principal: Principal, integration: string, id: ConnectionId | null, entry: CredentialEntry): Promise<CheckedEntry | null>
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
  /**
   * Returns false if there is no such connection.
   * @throws TocsinError `organization_forbidden` if it is shared, and the scope is not all organizations
   */
  remove(scope: Scope, connection: Pick<Connection, 'id' | 'organization'>): Promise<boolean>
}

/** One manual call of a skill. */
export interface ManualRun {
  readonly connection: ConnectionId
  /** `<skill>` or `<integration>.<skill>` */
  readonly skill: string
  readonly input: Json
  /** The revision of the connection that the caller has seen. Absent: any. */
  readonly revision?: number
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

/** A request as it would leave, without the credentials. */
export interface ShownRequest {
  readonly method: string
  readonly url: string
  /** In the order in which they are added. A null value is a secret. */
  readonly headers: readonly { readonly name: string; readonly value: string | null }[]
  /** Absent: none. */
  readonly body?: Json
  /** How the credentials change the request, in words. Null: by a header that is in the list. */
  readonly signing: string | null
  /** The parts for which Tocsin must ask the system first, such as `detected.version`. */
  readonly unknown: readonly string[]
}

/** A manual call that was not made: what it would send, and whether it would be sent now. */
export interface CallPreview extends ManualCall {
  readonly connection: ConnectionId
  /** The revision of the connection. */
  readonly revision: number
  /** Complete, with the defaults of the schema. */
  readonly input: Json
  /** What is wrong with the input. */
  readonly faults: readonly SchemaFault[]
  /** Why Tocsin would not send it now. Null: nothing that Tocsin knows stops it. */
  readonly refused: CallFailure | null
  /** Null: the input is invalid, the skill is code, or the request cannot be rendered (then `refused` says why). */
  readonly request: ShownRequest | null
  /** How full the quota of the skill is. Null: there is none. */
  readonly quota: { readonly calls: number; readonly per: Millis; readonly used: number } | null
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
   * `permission_missing` (a skill that writes needs `connections:write`), `connection_changed` (the
   * connection has another revision than `revision`)
   */
  run(principal: Principal, run: ManualRun): Promise<CallResult | null>
  /**
   * Renders a call as `run` would send it now. Sends nothing, reads no secret and counts for no quota.
   * @returns null if the principal may see no such connection
   * @throws TocsinError `organization_forbidden`, `integration_unknown`, `skill_unknown`
   */
  preview(principal: Principal, run: Pick<ManualRun, 'connection' | 'skill' | 'input'>): Promise<CallPreview | null>
}
