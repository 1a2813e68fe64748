import { countAsOne, isChainTooLong, type Makers } from '../access/makers.ts'
import { may, type Principal, permissions } from '../access/principal.ts'
import type { AlertUuid, CaseUuid, DecisionId, Digest, OrganizationId, PrincipalId, RunId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { Json } from '../text/json.ts'

export const decisionKinds = ['approval', 'in_doubt', 'quota'] as const
/**
 * `approval`: may these writes be sent? `in_doubt`: did this write happen? `quota`: may this write be sent
 * although its quota is used up?
 */
export type DecisionKind = (typeof decisionKinds)[number]

export const decisionStates = ['open', 'approved', 'declined', 'settled', 'expired', 'withdrawn'] as const
/**
 * `settled`: a person said what happened to a write in doubt. `withdrawn`: the run ended before an answer.
 * Only an open decision can be answered.
 */
export type DecisionState = (typeof decisionStates)[number]

export const verdicts = ['approve', 'decline', 'happened', 'repeat', 'give_up'] as const
export type Verdict = (typeof verdicts)[number]

/** The answers that each kind takes. */
const verdictsOfKind: Readonly<Record<DecisionKind, readonly Verdict[]>> = {
  approval: ['approve', 'decline'],
  in_doubt: ['happened', 'repeat', 'give_up'],
  quota: ['approve', 'decline'],
}

/** Returns the verdicts that a decision allows. */
export function verdictsOf({ kind, final }: Pick<Decision, 'kind' | 'final'>): readonly Verdict[] {
  return final ? verdictsOfKind[kind].filter((verdict) => verdict !== 'repeat') : verdictsOfKind[kind]
}

/** A call that a decision asks about, as rendered when the decision was opened. */
export interface DecisionAction {
  /** Id of the step in the playbook. */
  readonly step: string
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly connection: { readonly id: string; readonly revision: number; readonly instance: string }
  readonly target: string | null
  /** The rendered input. If it is very large, its beginning as text. */
  readonly input: Json
  /** Digest of the whole rendered input. The call that is sent later must have the same digest. */
  readonly digest: string
}

export interface DecisionAnswer {
  readonly principal: PrincipalId
  /** The principal's name. */
  readonly by: string
  readonly verdict: Verdict
  readonly reason: string | null
  /** For `happened`: the output of the write, as far as the person knows it. */
  readonly output: Json
  readonly at: Millis
}

/** A question that a run asks people. The run sleeps until it is answered. */
export interface Decision {
  /**
   * Derived from the run, the step address, and how often that address has asked. A replay that asks again
   * gets the same decision.
   */
  readonly id: DecisionId
  readonly kind: DecisionKind
  readonly organization: OrganizationId
  readonly run: RunId
  readonly alert: AlertUuid
  readonly case: CaseUuid
  readonly caseId: string
  readonly playbook: { readonly name: string; readonly digest: Digest }
  /** Address of the step that asks. */
  readonly step: string
  readonly title: string
  readonly actions: readonly DecisionAction[]
  /** Who may answer (see `mayAnswer`). Empty: everyone with the permission. */
  readonly by: readonly string[]
  /** How many different people must approve (see `whyNoApproval`). */
  readonly approvers: number
  readonly askedAt: Millis
  /** Set if the run ends once this is answered and sends nothing more. */
  readonly final?: true
  /** Null: it stays open until it is answered. */
  readonly expiresAt: Millis | null
  readonly state: DecisionState
  readonly answers: readonly DecisionAnswer[]
  readonly closedAt: Millis | null
  /** 1 when the decision opens. Rises with every change. */
  readonly revision: number
}

/** The deadline of decisions that never expire: later than all others. */
const noDeadline: Millis = Number.MAX_SAFE_INTEGER

/** Returns the time at which a decision expires, for sorting. A decision that never expires sorts last. */
export function deadlineOf({ expiresAt }: Pick<Decision, 'expiresAt'>): Millis {
  return expiresAt ?? noDeadline
}

/** Returns the skill whose quota a decision is about. Null if it is about no quota. */
export function quotaSkill({ kind, actions }: Pick<Decision, 'kind' | 'actions'>): string | null {
  return kind === 'quota' ? (actions[0]?.skill ?? null) : null
}

export const approvalRefusals = ['one_person', 'key_newer', 'key_chain'] as const
/**
 * Why a principal may not be one of several approvers. `one_person`: it counts as the same person as an earlier approver.
 * `key_newer`: it was made after the decision was opened. `key_chain`: it has too many makers to follow.
 */
export type ApprovalRefusal = (typeof approvalRefusals)[number]

/** Why an answer is refused. */
export type AnswerRefusal = 'closed' | 'expired' | 'not_yours' | 'twice' | 'wrong_verdict' | ApprovalRefusal

/** In `by`: everyone who has the permission to answer decisions. */
export const anyApprover = 'approver'
/** The words that `by` may have, besides the names of principals. */
export const approverWords: readonly string[] = [anyApprover, ...permissions]

/**
 * Returns whether a principal may answer a decision. `by` can name the principal, one of its permissions, or
 * `approver`. The word of a permission is never the name of a principal.
 */
export function mayAnswer({ by }: Pick<Decision, 'by'>, principal: Principal): boolean {
  if (!may(principal, 'decisions:answer')) return false
  if (by.length === 0) return true
  const held: readonly string[] = principal.permissions
  // Whoever creates a key chooses its name.
  return by.some((who) => who === anyApprover || (isPermission(who) ? held.includes(who) : who === principal.name))
}

function isPermission(text: string): boolean {
  return (permissions as readonly string[]).includes(text)
}

/** Returns whether a principal may answer a decision at a time: it is open, theirs, and they have not answered it yet. */
export function answerableBy(decision: Decision, principal: Principal, now: Millis): boolean {
  const { state, expiresAt, answers } = decision
  const open = state === 'open' && (expiresAt === null || now < expiresAt)
  return open && mayAnswer(decision, principal) && !answers.some((earlier) => earlier.principal === principal.id)
}

/**
 * Returns why a principal may not approve a decision that needs several people. Null: it may, or one person is enough.
 * Whoever makes keys could make another one for the second answer, so a key that is newer than the question does not count.
 * @param makers of the principal and of those who have answered
 */
export function whyNoApproval(
  { approvers, askedAt, answers }: Pick<Decision, 'approvers' | 'askedAt' | 'answers'>,
  { id, createdAt }: Pick<Principal, 'id' | 'createdAt'>,
  makers: Makers,
): ApprovalRefusal | null {
  if (approvers < 2) return null
  if (answers.some((earlier) => countAsOne(makers, id, earlier.principal))) return 'one_person'
  if (createdAt > askedAt) return 'key_newer'
  return isChainTooLong(makers, id) ? 'key_chain' : null
}

/**
 * Returns the decision with the answer added, or why it is refused. For an approval or a quota, one `decline`
 * closes it, or as many `approve` answers as it needs.
 * @param makers of the principal and of those who have answered. Only an approval by several people needs them
 */
export function withAnswer(decision: Decision, principal: Principal, answer: DecisionAnswer, makers: Makers): Decision | AnswerRefusal {
  const { kind, state, expiresAt, answers, approvers, revision } = decision
  if (state !== 'open') return state === 'expired' ? 'expired' : 'closed'
  if (expiresAt !== null && answer.at >= expiresAt) return 'expired'
  if (!mayAnswer(decision, principal)) return 'not_yours'
  if (!verdictsOf(decision).includes(answer.verdict)) return 'wrong_verdict'
  if (answers.some((earlier) => earlier.principal === principal.id)) return 'twice'
  const refusal = answer.verdict === 'approve' ? whyNoApproval(decision, principal, makers) : null
  if (refusal !== null) return refusal
  const all = [...answers, answer]
  const next = { ...decision, answers: all, revision: revision + 1 }
  if (kind === 'in_doubt') return { ...next, state: 'settled', closedAt: answer.at }
  if (answer.verdict === 'decline') return { ...next, state: 'declined', closedAt: answer.at }
  return all.length < approvers ? next : { ...next, state: 'approved', closedAt: answer.at }
}

/** Returns the decision closed without a further answer. */
export function closedAs(decision: Decision, state: 'expired' | 'withdrawn', at: Millis): Decision {
  return { ...decision, state, closedAt: at, revision: decision.revision + 1 }
}
