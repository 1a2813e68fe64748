import type { Fact, FactName, Scope } from '../../domain/index.ts'

/**
 * Facts that webhooks are to be told of. A fact is marked in the same write that makes it (a decision is opened or closed, a run ends as
 * failed, a case is opened), and only where a webhook is told of such facts; a webhook that another process has made counts a second later.
 */
export interface OutboxStore {
  /** Facts whose mark was not cleared: at most so many of each type, the oldest first. */
  pending(scope: Scope, limit: number): Promise<readonly Fact[]>
  /** Takes the marks away. Those that are gone stay gone. */
  clear(scope: Scope, facts: readonly FactName[]): Promise<void>
}
