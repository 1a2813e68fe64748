import {
  AlertStatus,
  affectsCase,
  type CaseUuid,
  type JournalRecord,
  type Millis,
  type RunId,
  statusesBefore,
  systemScope,
  type TimelineEntry,
} from '../../../domain/index.ts'
import { storedEntry } from '../cases/timeline-documents.ts'
import type { RunCase, RunDocument, RunFacts } from './run-documents.ts'
import type { RunTools } from './run-tools.ts'

export type EndedRecord = Extract<JournalRecord, { readonly kind: 'ended' }>

/**
 * Sets the alert to 10, with investigator and case. Also corrects an alert that a crash left at 10 with
 * another case.
 */
export async function projectClaim({ assignAlert }: RunTools, run: RunDocument, theCase: RunCase, at: Millis): Promise<void> {
  await assignAlert({
    id: run.alert,
    when: { status: { $in: [...statusesBefore(AlertStatus.inProgress), AlertStatus.inProgress] }, retryCount: run.attempt - 1 },
    set: {
      status: AlertStatus.inProgress,
      modifiedAt: at,
      investigator: run.pins.playbook.name,
      case: theCase.uuid,
      caseId: theCase.caseId,
      completedAt: null,
    },
    unset: 'waitingSince',
  })
}

/** Writes the entries of an end into the case, with the changes that they imply. Returns how many entries were new. */
async function tellCase({ insertEntry, recordCase, written }: RunTools, theCase: CaseUuid, entries: readonly TimelineEntry[]): Promise<number> {
  const fresh = entries.map(async (entry) => {
    if (affectsCase(entry.body)) return (await recordCase(systemScope, theCase, null, entry)).fresh
    return insertEntry({ _id: { case: theCase, key: entry.key }, ...storedEntry(entry, written()) })
  })
  return (await Promise.all(fresh)).filter(Boolean).length
}

/**
 * Writes everything that follows from an end: the run's state, the case's entries, and the alert at 15 or 20
 * unless the run is an undo. Returns how many entries were new.
 */
export async function projectEnd(tools: RunTools, id: RunId, run: RunFacts, ended: EndedRecord, entries: readonly TimelineEntry[]): Promise<number> {
  const { assignAlert, assignRun, audience } = tools
  const { state, at, reason, failure, retryAt = null } = ended
  // Set the mark in the write that makes the run fail, so that no crash can separate them.
  const told = state === 'failed' && (await audience.isTold('run.failed', run.organization)) ? { told: false } : {}
  const [inserted] = await Promise.all([
    tellCase(tools, run.case, entries),
    assignRun({ id, when: { state: 'running' }, set: { state, endedAt: at, reason, failure, retryAt, ...told } }),
    !run.undoes &&
      assignAlert({
        id: run.alert,
        when: { status: AlertStatus.inProgress, retryCount: run.attempt - 1 },
        set: { status: state === 'completed' ? AlertStatus.completed : AlertStatus.failed, completedAt: at, modifiedAt: at, retryAt },
      }),
  ])
  return inserted
}
