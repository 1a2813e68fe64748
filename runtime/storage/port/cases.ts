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
  /** True: those whose marks say that somebody has to look at them; false: the others. */
  readonly attention?: boolean
  /** Newest first; `after` is the last item's position. */
  readonly after: { readonly createdAt: Millis; readonly uuid: CaseUuid } | null
  readonly limit: number
}

export interface CaseStore {
  byCaseId(scope: Scope, caseId: string): Promise<Case | null>
  get(scope: Scope, uuid: CaseUuid): Promise<Case | null>
  list(scope: Scope, query: CaseQuery): Promise<Page<Case>>
  /** One page of a case's timeline: the latest entries, or those before a position. */
  timeline(scope: Scope, uuid: CaseUuid, part: TimelinePart): Promise<TimelinePage>
  /**
   * Writes an entry, with the change that comes with it and what the entry makes of the case by itself (`caseAfter`), in one write. When an entry
   * of that key is there already, nothing changes: a resumed run may say it again. Returns the case as it now stands; null when not in scope.
   */
  record(scope: Scope, uuid: CaseUuid, change: CaseChange | null, entry: TimelineEntry): Promise<Case | null>
}

/** Position of an entry in the timeline of its case. */
export interface TimelinePosition {
  readonly at: Millis
  /** Rises with every entry that is written. Orders entries of the same time. */
  readonly order: number
}

/** Which entries of a timeline are read: the latest, as many as fit. */
export interface TimelinePart {
  /** Only these kinds; absent: all. */
  readonly kinds?: readonly TimelineBody['kind'][]
  /** Only entries before this one; null: the latest. */
  readonly before: TimelinePosition | null
  /** At most this many entries. */
  readonly limit: number
  /** At most this many characters in all bodies together. The latest entry is read whatever its size. */
  readonly characters: number
}

export interface TimelinePage {
  /** In order of time, then of writing. */
  readonly entries: readonly TimelineEntry[]
  /** Pass this as `before` to read earlier entries; null: there are none. */
  readonly earlier: TimelinePosition | null
}
