import type { Connection, ConnectionId, ConnectionTest, Json, Millis, Principal, Scope } from '../domain/index.ts'
import type { CallResult, Skill } from '../plugin/index.ts'
import type { ConnectionQuery, Page } from '../storage/index.ts'

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
  /** `<playbook>.<slot>` each: served before any other connection of the integration. */
  readonly slots: readonly string[]
  readonly expiresAt: Millis | null
  readonly remoteAgent: string | null
  /** One of the integration's roles. */
  readonly role: string | null
  /** A vendor's file, or lines of it, that fills the fields which the manifest's `paste` names; null: none. */
  readonly paste: string | null
}

/** What a person changes of a connection; what is absent stays. */
export interface ConnectionChange extends Partial<Omit<ConnectionDraft, 'integration' | 'organizationCode' | 'credentials' | 'paste'>> {
  /** The revision that the change was made on. */
  readonly revision: number
  /** The fields that change; null takes one away. A secret that is not named stays as it is. */
  readonly credentials?: Readonly<Record<string, string | number | boolean | null>>
  readonly paste?: string | null
}

/** A connection as anybody but the vault may see it: of the secrets only the names of those that are set. */
export interface ConnectionView extends Omit<Connection, 'secrets'> {
  /** Null: shared. */
  readonly organizationCode: string | null
  /** The expiry is past. */
  readonly expired: boolean
  readonly secretsSet: readonly string[]
}

/** Connections as people handle them. */
export interface Connections {
  /**
   * @throws TocsinError `organization_unknown` (also outside the principal's reach), `organization_forbidden` (shared, and the
   *   principal is not of all organizations), `integration_unknown`, `connection_invalid` (each field in `places`,
   *   `credentials.<name>`, `role`, `paste`), `connection_exists`, `connection_default_exists`
   */
  create(principal: Principal, draft: ConnectionDraft): Promise<ConnectionView>
  /** The scope's own and the shared ones, by id, rising. */
  list(scope: Scope, page: ConnectionQuery): Promise<Page<ConnectionView>>
  /** Null when not in scope. */
  get(scope: Scope, id: ConnectionId): Promise<ConnectionView | null>
  /**
   * Changes a connection. Whoever changes a field that decides where requests go must give all its secrets again.
   * @returns null when there is none in the principal's reach
   * @throws TocsinError as `create`, and `connection_changed` when another revision stands
   */
  revise(principal: Principal, id: ConnectionId, change: ConnectionChange): Promise<ConnectionView | null>
  /** False when there is none in scope that the scope may change. */
  remove(scope: Scope, id: ConnectionId): Promise<boolean>
}

/** A skill run by hand. */
export interface ManualRun {
  readonly connection: ConnectionId
  /** `<skill>` or `<integration>.<skill>` */
  readonly skill: string
  readonly input: Json
  /** Gives up a read; a write that began is waited for, so that it is known what became of it. */
  readonly signal: AbortSignal
  /** Told what is called, and on what, before anything is sent: whoever does it is on record, also if this process dies over it. */
  begins(call: ManualCall): void
}

/** A call of a skill by hand, as it is told to the log. */
export interface ManualCall {
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly impact: Skill['impact']
  /** The connection's instance. */
  readonly instance: string
  /** Null: the connection is shared. */
  readonly organizationCode: string | null
  /** What the call acts on, as the skill names it; none where it names nothing, or its input does not fit. */
  readonly targets: readonly string[]
}

/**
 * What people do with one connection outside any run. Only with the connections that the principal may change: a shared one acts for
 * every organization, so it needs a principal of all. Each call is tried once.
 */
export interface ManualCalls {
  /**
   * Runs the manifest's test, and its reachability request where it has one; the result is kept on the connection.
   * @returns null when there is no such connection in the principal's reach
   * @throws TocsinError `organization_forbidden`, `integration_unknown`
   */
  test(principal: Principal, id: ConnectionId, signal: AbortSignal): Promise<ConnectionTest | null>
  /**
   * Runs one skill. What becomes of the call, refusals before it included, is the result.
   * @returns null when there is no such connection in the principal's reach
   * @throws TocsinError `organization_forbidden`, `integration_unknown`, `skill_unknown`, `permission_missing` (a skill that writes needs
   *   `connections:write`)
   */
  run(principal: Principal, run: ManualRun): Promise<CallResult | null>
}
