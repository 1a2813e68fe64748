import type { DecisionId, DecisionKind, DecisionState, OrganizationId, RunId } from '../../../domain/index.ts'

/** A decision, with the fields that queries use. */
export interface DecisionDocument {
  readonly _id: DecisionId
  readonly organization: OrganizationId
  readonly run: RunId
  readonly kind: DecisionKind
  readonly state: DecisionState
  readonly askedAt: number
  /** The time at which it expires (`deadlineOf`). */
  readonly deadline: number
  /** Absent: it is open, or closed by a release that did not keep this. */
  readonly closedAt?: number
  readonly revision: number
  /** The skill whose quota it is about. Absent: it is about no quota. */
  readonly quota?: string
  /** Set when the decision closes. Removed once the run and the case know. */
  readonly untold?: true
  /** Set when the decision is opened. Removed once its webhook event is written. */
  readonly openedTold?: false
  /** Set when the decision closes. Removed once its webhook event is written. */
  readonly closedTold?: false
  /** The whole decision as JSON, because a rendered input may have keys and depths that MongoDB refuses. */
  readonly decision: string
}
