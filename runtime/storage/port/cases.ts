import type { Case, CaseChange, CaseStatus, CaseUuid, Millis, OrganizationId, Scope, Severity, TimelineEntry } from '../../domain/index.ts'
import type { Page } from './page.ts'
import type { TimelinePage, TimelinePart } from './timeline.ts'

export interface CaseQuery {
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
