import { type BoundedCache, boundedCache } from '../../../caches/index.ts'
import type { AlertUuid, Clock, RunId } from '../../../domain/index.ts'
import type { AlertDocument, FingerprintDocument, NumberedAlertDocument } from '../alerts/alert-documents.ts'
import type { CaseDocument } from '../cases/case-documents.ts'
import { type CaseRecorder, caseRecorder } from '../cases/case-record.ts'
import { writingOrder } from '../cases/timeline.ts'
import type { TimelineDocument } from '../cases/timeline-documents.ts'
import { type Assign, assigner, type BulkTurns, type Find, finder, type Insert, inserter } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { type TakeNumbers, takeNumbersTogether } from '../database/index.ts'
import type { JournalDocument } from '../journal/journal-documents.ts'
import type { Audience } from '../webhooks/webhooks.ts'
import { projectClaim } from './claim-projection.ts'
import { ClaimsToShow } from './claims-to-show.ts'
import type { RunDocument, RunFacts } from './run-documents.ts'

/** How many runs are remembered with their facts. More than a process works on at once. */
const remembered = 16_384

/** The part of an alert that a claim needs. */
export type ClaimedAlert = Pick<
  NumberedAlertDocument,
  'organization' | 'organizationCode' | 'alertId' | 'status' | 'retryCount' | 'case' | 'caseId' | 'preparing'
>

/**
 * The operations that claims and ends consist of. Each reads or writes one document, together with those of
 * other runs.
 */
export interface RunTools {
  readonly collections: Collections
  readonly insertRun: Insert<RunDocument>
  readonly assignRun: Assign<RunDocument>
  readonly insertFingerprint: Insert<FingerprintDocument>
  readonly insertJournal: Insert<JournalDocument>
  readonly insertCase: Insert<CaseDocument>
  /** Inserts an entry that does not change its case. */
  readonly insertEntry: Insert<TimelineDocument>
  readonly recordCase: CaseRecorder
  readonly assignAlert: Assign<AlertDocument>
  readonly findAlert: Find<AlertUuid, AlertDocument>
  readonly caseOfAlert: Find<AlertUuid, CaseDocument>
  readonly take: TakeNumbers
  readonly written: () => number
  readonly clock: Pick<Clock, 'now'>
  readonly facts: BoundedCache<RunId, RunFacts>
  /** The cases that are being opened while their runs go on, or could not be opened. */
  readonly opening: BoundedCache<RunId, Promise<void>>
  readonly toShow: ClaimsToShow
  readonly audience: Audience
}

/** Makes what the parts of the `RunStore` share. */
export function runTools(collections: Collections, turns: BulkTurns, clock: Clock, audience: Audience): RunTools {
  const { runs, fingerprints, journal, cases, timeline, alerts, counters } = collections
  const written = writingOrder(clock)
  const assignAlert = assigner(turns, alerts)
  return {
    collections,
    insertRun: inserter(turns, runs),
    assignRun: assigner(turns, runs),
    insertFingerprint: inserter(turns, fingerprints),
    insertJournal: inserter(turns, journal, ({ records, entries = '' }) => records.length + entries.length),
    insertCase: inserter(turns, cases),
    insertEntry: inserter(turns, timeline, ({ body }) => body.length),
    recordCase: caseRecorder(collections, turns, written),
    assignAlert,
    findAlert: finder(turns, alerts, '_id', {
      organization: 1,
      organizationCode: 1,
      alertId: 1,
      status: 1,
      retryCount: 1,
      case: 1,
      caseId: 1,
      preparing: 1,
    }),
    caseOfAlert: finder(turns, cases, 'alert', { alert: 1, caseId: 1, organization: 1 }),
    take: takeNumbersTogether(turns, counters),
    written,
    clock,
    facts: boundedCache(remembered),
    opening: boundedCache(remembered),
    toShow: new ClaimsToShow(clock, ({ run, case: theCase, at }) => projectClaim({ assignAlert }, run, theCase, at)),
    audience,
  }
}
