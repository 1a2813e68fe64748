import { AlertStatus, affectsCase, type CaseUuid, type JournalRecord, type RunId, systemScope, type TimelineEntry } from '../../../domain/index.ts'
import { storedEntry } from '../cases/timeline-documents.ts'
import { shownOf, statusesUntilEnd } from './claim-projection.ts'
import type { RunFacts } from './run-documents.ts'
import type { RunTools } from './run-tools.ts'

export type EndedRecord = Extract<JournalRecord, { readonly kind: 'ended' }>

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
  const { assignAlert, assignRun, audience, toShow } = tools
  const { state, at, reason, failure, retryAt = null } = ended
  // Set the mark in the write that makes the run fail, so that no crash can separate them.
  const told = state === 'failed' && (await audience.isTold('run.failed', run.organization)) ? { told: false } : {}
  // If the alert does not show the claim yet, it shows claim and end in one write.
  const claim = toShow.take(id)
  const [inserted] = await Promise.all([
    tellCase(tools, run.case, entries),
    assignRun({ id, when: { state: 'running' }, set: { state, endedAt: at, reason, failure, retryAt, ...told } }),
    !run.undoes &&
      assignAlert({
        id: run.alert,
        when: { status: claim ? { $in: statusesUntilEnd } : AlertStatus.inProgress, retryCount: run.attempt - 1 },
        set: {
          status: state === 'completed' ? AlertStatus.completed : AlertStatus.failed,
          ...{ completedAt: at, modifiedAt: at, retryAt },
          ...(claim && shownOf(claim.run, claim.case)),
        },
        ...(claim && { unset: 'waitingSince' }),
      }),
  ])
  return inserted
}
