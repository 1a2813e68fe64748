import type { DecisionView } from '../../runtime/api/index.ts'

/** The most decisions that are answered together. Nobody reads more with care. */
export const mostTogether = 50

/**
 * Names what makes decisions alike: their kind, whether the key may only decline, and the skills of their calls. Null: the decision cannot be answered together with
 * others, because the key may not answer it, or because each write in doubt must be looked up in the external system.
 */
function likeness({ kind, may_answer, cannot_approve, actions }: DecisionView): string | null {
  if (!may_answer || kind === 'in_doubt') return null
  return [kind, cannot_approve, ...new Set(actions.map(({ skill }) => skill).toSorted())].join(' ')
}

/** Decisions that are alike. */
export interface Alike {
  /** Those that are answered together. */
  readonly together: readonly DecisionView[]
  /** How many are alike, also those that are too many to be answered at once. */
  readonly count: number
}

/** Returns the groups of two or more decisions that are alike, in the order of the list. */
export function alikeGroups(decisions: readonly DecisionView[]): readonly Alike[] {
  const groups = Map.groupBy(decisions, likeness)
  return [...groups].flatMap(([key, group]) =>
    key === null || group.length < 2 ? [] : [{ together: group.slice(0, mostTogether), count: group.length }],
  )
}

/** Returns whether decisions can be answered together. */
export function areAlike(decisions: readonly DecisionView[]): boolean {
  const [first, ...others] = decisions.map(likeness)
  return first !== undefined && first !== null && others.every((one) => one === first) && decisions.length <= mostTogether
}

/** Names the skills of a decision's calls: `mfa.suspend_mfa_user`. */
export function skillsOf({ actions }: Pick<DecisionView, 'actions'>): string {
  return [...new Set(actions.map(({ skill }) => skill))].join(', ')
}
