import type { Decision, DecisionId, DecisionKind, DecisionState, Millis, OrganizationId, RunId, Scope } from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface DecisionQuery {
  readonly organizations?: readonly OrganizationId[]
  readonly states?: readonly DecisionState[]
  readonly kinds?: readonly DecisionKind[]
  readonly runs?: readonly RunId[]
  /** Skills whose quota they are about. */
  readonly quotas?: readonly string[]
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly askedAt: Millis; readonly id: DecisionId } | null
  readonly limit: number
}

export interface DecisionStore {
  /** Opens it, unless one of its id is there. Returns what stands. */
  open(scope: Scope, decision: Decision): Promise<Decision>
  get(scope: Scope, id: DecisionId): Promise<Decision | null>
  list(scope: Scope, query: DecisionQuery): Promise<Page<Decision>>
  /** Replaces the decision whose revision is `next.revision - 1`. One that is open no more is untold until `told`. */
  revise(scope: Scope, next: Decision): Promise<'revised' | 'changed'>
  /** Closed decisions of which run and case may not know yet, because the closing process may have died. For the sweeper. */
  untold(scope: Scope, limit: number): Promise<readonly Decision[]>
  told(scope: Scope, id: DecisionId): Promise<void>
  /** How many open ones of an organization are about the quota of a skill; 0 out of scope. */
  waiting(scope: Scope, organization: OrganizationId, skill: string): Promise<number>
  /** Open decisions whose run has ended: its process died before it could withdraw them. For the sweeper. */
  left(scope: Scope, limit: number): Promise<readonly Decision[]>
}
