import type { Decision, DecisionId, DecisionKind, DecisionState, Millis, OrganizationId, RunId, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface DecisionQuery {
  readonly organizations?: readonly OrganizationId[]
  readonly states?: readonly DecisionState[]
  readonly kinds?: readonly DecisionKind[]
  readonly runs?: readonly RunId[]
  /** Only decisions about the quota of these skills. */
  readonly quotas?: readonly string[]
  /**
   * The position of the last item of the previous page. Newest first: sorts by the time of the question, then
   * id, descending.
   */
  readonly after: { readonly askedAt: Millis; readonly id: DecisionId } | null
  readonly limit: number
}

/** Selects open decisions, by their deadline. */
interface DeadlineQuery extends Pick<DecisionQuery, 'organizations' | 'kinds' | 'runs' | 'quotas' | 'limit'> {
  /**
   * The position of the last item of the previous page: its deadline (`deadlineOf`) and its id. The list is sorted by
   * both, ascending.
   */
  readonly after: { readonly deadline: Millis; readonly id: DecisionId } | null
}

export interface DecisionStore {
  /**
   * Opens a decision. If there is one with this id already, it stays as it is. Returns the stored decision.
   * @throws TocsinError `organization_forbidden`
   */
  open(scope: Scope, decision: Decision): Promise<Decision>
  get(scope: Scope, id: DecisionId): Promise<Decision | null>
  list(scope: Scope, query: DecisionQuery): Promise<Page<Decision>>
  /** Returns open decisions. The one that expires first comes first. Those that never expire come last. */
  byDeadline(scope: Scope, query: DeadlineQuery): Promise<Page<Decision>>
  /**
   * Replaces the decision whose revision is `next.revision - 1`. A decision that is no longer open counts as
   * untold until `told` is called. Returns `changed` if the revision is another one, or the decision is
   * missing or out of scope.
   */
  revise(scope: Scope, next: Decision): Promise<'revised' | 'changed'>
  /**
   * Returns closed decisions that the run and the case may not know about, because the process that closed
   * them may have died. For the sweeper.
   */
  untold(scope: Scope, limit: number): Promise<readonly Decision[]>
  told(scope: Scope, id: DecisionId): Promise<void>
  /**
   * Returns how many open decisions of an organization are about the quota of a skill. 0 if the organization
   * is out of scope.
   */
  waiting(scope: Scope, organization: OrganizationId, skill: string): Promise<number>
  /** Returns open decisions whose run has ended, because its process died before it withdrew them. For the sweeper. */
  left(scope: Scope, limit: number): Promise<readonly Decision[]>
}
