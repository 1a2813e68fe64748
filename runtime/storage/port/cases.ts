import type {
  Case,
  CaseChange,
  CaseStatus,
  CaseUuid,
  Millis,
  OrganizationId,
  Scope,
  Severity,
  TimelineBody,
  TimelineEntry,
} from '../../domain/index.ts'
import type { Page } from './page.ts'

interface CaseQuery {
  readonly organizations?: readonly OrganizationId[]
  readonly statuses?: readonly CaseStatus[]
  readonly severities?: readonly Severity[]
  /** `true`: only cases with a mark that needs attention. `false`: only the others. Absent: both. */
  readonly attention?: boolean
  /**
   * The position of the last item of the previous page. Newest first: sorts by creation time, then UUID,
   * descending.
   */
  readonly after: { readonly createdAt: Millis; readonly uuid: CaseUuid } | null
  readonly limit: number
}

export interface CaseStore {
  byCaseId(scope: Scope, caseId: string): Promise<Case | null>
  get(scope: Scope, uuid: CaseUuid): Promise<Case | null>
  list(scope: Scope, query: CaseQuery): Promise<Page<Case>>
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
