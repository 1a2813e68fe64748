import type { CaseUuid, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { CaseStatus } from './case-status.ts'

/** A task of a case. */
export interface CaseTask {
  /** Unique within the case. */
  readonly id: string
  readonly text: string
  /** The name of the person who should do it. */
  readonly assignee: string | null
  readonly createdAt: Millis
  readonly createdBy: string
  /** When and by whom it was done. Null: it is open. */
  readonly done: { readonly at: Millis; readonly by: string } | null
}

/** Another case of the same organization. */
export interface OtherCase {
  readonly uuid: CaseUuid
  readonly caseId: string
}

/** A case that people linked to this one, or merged into it. */
export interface CaseLink extends OtherCase {
  readonly at: Millis
  readonly by: string
}

/** The case into which this one was merged. */
interface CaseMerge extends CaseLink {
  /** The status that the case would have without the merge. The case gets it when the merge is taken back. */
  readonly status: CaseStatus
}

/** What people keep on a case, and when they first answered and closed it. */
export interface CaseDesk {
  /** Sorted. */
  readonly tags: readonly string[]
  readonly tasks: readonly CaseTask[]
  readonly links: readonly CaseLink[]
  /** The cases that were merged into this one. */
  readonly merged: readonly CaseLink[]
  readonly into: CaseMerge | null
  /** When a person first acted on the case, or when it was closed before that. */
  readonly respondedAt: Millis | null
  /** Null while the case is open. */
  readonly closedAt: Millis | null
  /** Set while the case is closed because a person closed it, and nobody has asked for another investigation since. */
  readonly closedByPerson?: true
}

export const emptyDesk: CaseDesk = { tags: [], tasks: [], links: [], merged: [], into: null, respondedAt: null, closedAt: null }

/** The most of each that a case can have. They are stored with the case, so they must stay short. */
export const mostTags = 50
export const mostTasks = 100
export const mostLinks = 100

/** What a person did with a task. */
export const taskActs = ['added', 'changed', 'done', 'reopened', 'removed'] as const
/** `into`: this case was merged into the other. `absorbed`: the other was merged into this one. `taken_back` and `released` end these. */
export const mergeActs = ['into', 'absorbed', 'taken_back', 'released'] as const

/** Set if nothing changed, because others had filled the case at the same moment. */
interface Refusable {
  readonly refused?: true
}

export type DeskBody =
  | ({ readonly kind: 'tags'; readonly added: readonly string[]; readonly removed: readonly string[] } & Refusable)
  | ({
      readonly kind: 'task'
      readonly task: string
      readonly act: (typeof taskActs)[number]
      readonly text: string
      readonly assignee: string | null
      /** The name of the person. */
      readonly by: string
    } & Refusable)
  | ({
      readonly kind: 'link'
      readonly act: 'added' | 'removed'
      readonly other: OtherCase
      readonly by: string
      readonly text: string | null
    } & Refusable)
  | {
      readonly kind: 'merge'
      readonly act: (typeof mergeActs)[number]
      readonly other: OtherCase
      readonly by: string
      readonly text: string | null
      /** Set if the case could not be merged, because somebody merged one of the two cases at the same moment. */
      readonly refused?: true
    }

/** A person whom a comment names. */
export interface Mention {
  readonly principal: PrincipalId
  readonly name: string
}
