import type { DecisionId, DecisionKind, DecisionState, OrganizationId, RunId } from '../../../domain/index.ts'

/** A decision, with the fields that are searched. */
export interface DecisionDocument {
  readonly _id: DecisionId
  readonly organization: OrganizationId
  readonly run: RunId
  readonly kind: DecisionKind
  readonly state: DecisionState
  readonly askedAt: number
  readonly revision: number
  /** The skill whose quota it is about. Absent: it is about no quota. */
  readonly quota?: string
  /** Present from its end until run and case are told. */
  readonly untold?: true
  /** Present until webhooks are told that it was opened. */
  readonly openedTold?: false
  /** Present from its end until webhooks are told of that. */
  readonly closedTold?: false
  /** The whole decision as JSON: a rendered input may have keys and depths that MongoDB refuses. */
  readonly decision: string
}
