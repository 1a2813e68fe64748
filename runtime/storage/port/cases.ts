import type {
  Case,
  CaseChange,
  CaseLink,
  CasePosition,
  CaseSort,
  CaseStatus,
  CaseUuid,
  Disposition,
  Millis,
  OrganizationId,
  PrincipalId,
  Scope,
  Severity,
  TimelineBody,
  TimelineEntry,
} from '../../domain/index.ts'
import type { Page } from './page.ts'

export interface CaseQuery {
  readonly organizations?: readonly OrganizationId[]
  readonly statuses?: readonly CaseStatus[]
  readonly severities?: readonly Severity[]
  readonly dispositions?: readonly Disposition[]
  /** Names of people. Null: nobody. */
  readonly assignees?: readonly (string | null)[]
  /** Only cases that have one of these tags. */
  readonly tags?: readonly string[]
  /** Only cases whose id, title or summary contains each of these texts, ignoring case. */
  readonly words?: readonly string[]
  /** Created at or after. */
  readonly createdFrom?: Millis
  /** Created before. */
  readonly createdTo?: Millis
  /** `true`: only cases with a mark that needs attention. `false`: only the others. Absent: both. */
  readonly attention?: boolean
  /** Absent: `-created_at`. */
  readonly sort?: CaseSort
  /** The position of the last item of the previous page. */
  readonly after: CasePosition | null
  readonly limit: number
}

/** A comment that mentions a principal. */
export interface CaseMention {
  readonly case: CaseUuid
  /** The key of the comment's entry. */
  readonly key: string
  readonly at: Millis
}

export interface CaseStore {
  byCaseId(scope: Scope, caseId: string): Promise<Case | null>
  get(scope: Scope, uuid: CaseUuid): Promise<Case | null>
  list(scope: Scope, query: CaseQuery): Promise<Page<Case>>
  /** Returns which case continues each of these, by case id. Cases that are not merged, or unknown, are absent. One read, however many cases. */
  continued(scope: Scope, caseIds: readonly string[]): Promise<ReadonlyMap<string, CaseLink>>
  /**
   * Returns one page of a case's timeline: the latest entries, or the latest before a position. Empty if the
   * case is out of scope.
   */
  timeline(scope: Scope, uuid: CaseUuid, part: TimelinePart): Promise<TimelinePage>
  /**
   * Writes an entry together with `change` and with the changes that the entry itself implies (`caseAfter`),
   * in one write. Does nothing if the case already has an entry with that key, so a replayed run may write it
   * again. Returns the case after the write. Null if it is out of scope.
   */
  record(scope: Scope, uuid: CaseUuid, change: CaseChange | null, entry: TimelineEntry): Promise<Case | null>
  /**
   * Returns the comments in cases of the scope that mention a principal, newest first. `record` stores the mentions
   * of a comment.
   */
  mentions(scope: Scope, principal: PrincipalId, page: { readonly after: CaseMention | null; readonly limit: number }): Promise<Page<CaseMention>>
  /** Returns entries of a timeline by their keys, in any order. Unknown keys are skipped. */
  entries(scope: Scope, uuid: CaseUuid, keys: readonly string[]): Promise<readonly TimelineEntry[]>
}

/** The position of an entry in the timeline of its case. */
export interface TimelinePosition {
  readonly at: Millis
  /** Increases with every entry that is written. Sorts entries that have the same time. */
  readonly order: number
}

/** Which entries of a timeline to read. Always the latest ones that fit. */
export interface TimelinePart {
  /** Only entries of these kinds. Absent: all. */
  readonly kinds?: readonly TimelineBody['kind'][]
  /** Only entries before this position. Null: the latest. */
  readonly before: TimelinePosition | null
  /** The most entries to return. */
  readonly limit: number
  /**
   * The most characters that all returned bodies may have together. The latest entry is returned even if it
   * is larger.
   */
  readonly characters: number
}

export interface TimelinePage {
  /** Sorted by time, then by order of writing, ascending. */
  readonly entries: readonly TimelineEntry[]
  /** Pass this as `before` to read earlier entries. Null if there are none. */
  readonly earlier: TimelinePosition | null
}
