import { AlertStatus, type JournalRecord, type Millis, type RunId, statusesBefore, type TimelineEntry } from '../../domain/index.ts'
import type { RunCase, RunDocument, RunFacts } from './run-documents.ts'
import type { RunTools } from './run-tools.ts'
import { storedEntry } from './timeline.ts'

export type EndedRecord = Extract<JournalRecord, { readonly kind: 'ended' }>

/** The alert at 10, with investigator and case; also where a crash had left it at 10 with another case. */
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

/** All that follows from an end: the run's state, the case's entries, and of an investigation the alert at 15 or 20. Returns how many entries were new. */
export async function projectEnd(tools: RunTools, id: RunId, run: RunFacts, ended: EndedRecord, entries: readonly TimelineEntry[]): Promise<number> {
  const { assignAlert, assignRun, insertEntry, written, audience } = tools
  const { state, at, reason, failure, retryAt = null } = ended
  // In the write that makes it fail, so that no crash parts them.
  const told = state === 'failed' && (await audience.isTold('run.failed', run.organization)) ? { told: false } : {}
  const [inserted] = await Promise.all([
    Promise.all(entries.map((entry) => insertEntry({ _id: { case: run.case, key: entry.key }, ...storedEntry(entry, written()) }))),
    assignRun({ id, when: { state: 'running' }, set: { state, endedAt: at, reason, failure, retryAt, ...told } }),
    !run.undoes &&
      assignAlert({
        id: run.alert,
        when: { status: AlertStatus.inProgress, retryCount: run.attempt - 1 },
        set: { status: state === 'completed' ? AlertStatus.completed : AlertStatus.failed, completedAt: at, modifiedAt: at, retryAt },
      }),
  ])
  return inserted.filter(Boolean).length
}
