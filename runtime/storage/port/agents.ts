import type { AgentId, Millis, OrganizationId, RemoteAgent, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

/** Remote agents. A scope sees the agents of its organizations. Only a scope of all organizations sees the operator's. */
export interface AgentStore {
  /** @throws TocsinError `organization_forbidden` */
  create(scope: Scope, agent: RemoteAgent): Promise<void>
  byId(scope: Scope, ids: readonly AgentId[]): Promise<readonly RemoteAgent[]>
  /** Newest first. Includes revoked agents. `after` is the id of the last item of the previous page. */
  list(scope: Scope, page: { readonly after: AgentId | null; readonly limit: number }): Promise<Page<RemoteAgent>>
  /** Returns how many agents of this owner are not revoked. 0 if the owner is out of scope. */
  count(scope: Scope, organization: OrganizationId | null): Promise<number>
  /**
   * Uses up an enrolment token: stores the public key, and forgets the token. However many callers have the same token, one of
   * them enrols. Returns null if no agent has this token, it has expired at `at`, its agent is revoked, or another agent has the key.
   */
  enrol(scope: Scope, hash: string, publicKey: string, at: Millis): Promise<RemoteAgent | null>
  /** Returns the agent that this token would enrol at `at`. Null if there is none in scope. */
  byToken(scope: Scope, hash: string, at: Millis): Promise<RemoteAgent | null>
  /** Returns the agent with this key, even if it is revoked. Null if there is none in scope. */
  byKey(scope: Scope, publicKey: string): Promise<RemoteAgent | null>
  /**
   * Revokes an agent, and forgets its token. Revoking it again keeps the time of the first revocation. Returns null if there is no such
   * agent in scope.
   */
  revoke(scope: Scope, id: AgentId, at: Millis): Promise<RemoteAgent | null>
  /** Notes when the agent was here. Does nothing if there is no such agent in scope. */
  noteSeen(scope: Scope, id: AgentId, seen: NonNullable<RemoteAgent['lastSeen']>): Promise<void>
}
