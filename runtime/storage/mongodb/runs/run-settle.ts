import { AlertStatus, inScope, type Millis, type Scope, type TimelineEntry } from '../../../domain/index.ts'
import { recordsOf } from '../journal/journal.ts'
import type { JournalDocument } from '../journal/journal-documents.ts'
import { projectClaim } from './claim-projection.ts'
import { factsOf, type RunDocument } from './run-documents.ts'
import { type EndedRecord, projectEnd } from './run-projections.ts'
import type { RunTools } from './run-tools.ts'

/** Removes the marks of ends whose projections are all written, and the entries that were kept for them. */
export async function markSettled({ collections }: Pick<RunTools, 'collections'>, ids: readonly JournalDocument['_id'][]): Promise<void> {
  if (ids.length > 0) await collections.journal.updateMany({ _id: { $in: [...ids] } }, { $unset: { unsettled: '', entries: '' } })
}

/** An end that was written so recently is being shown, and its mark waits to be removed together with others. */
const beingShown: Millis = 1_000

function endedIn(document: JournalDocument): EndedRecord | undefined {
  return recordsOf(document).find((record): record is EndedRecord => record.kind === 'ended')
}

/**
 * Writes whatever is missing of what an end implies. Returns whether anything was missing. Null: the run has no case yet, so
 * nothing can be shown. Its process opens the case, or the next claim of the run does.
 */
async function settleEnd(tools: RunTools, run: RunDocument, document: JournalDocument): Promise<boolean | null> {
  const ended = endedIn(document)
  const [alert, theCase] = await Promise.all([tools.findAlert(run.alert), tools.caseOfAlert(run.alert)])
  if (ended && alert && !theCase) return null
  if (!ended || !alert || !theCase) return false
  const current = run.undo === undefined && alert.retryCount === run.attempt - 1
  const waits = current && (alert.status === AlertStatus.created || alert.status === AlertStatus.submitted)
  if (waits) await projectClaim(tools, run, { uuid: theCase._id, caseId: theCase.caseId }, ended.at)
  const entries: readonly TimelineEntry[] = document.entries ? JSON.parse(document.entries) : []
  const added = await projectEnd(tools, run._id, factsOf(run, theCase._id), ended, entries)
  return added > 0 || run.state === 'running' || waits || (current && alert.status === AlertStatus.inProgress)
}

/** Settles one run whose journal ended at the position. */
export async function settleRun(tools: RunTools, run: RunDocument, position: number): Promise<void> {
  const document = await tools.collections.journal.findOne({ _id: { run: run._id, position } })
  if (!document) return
  if ((await settleEnd(tools, run, document)) !== null) await markSettled(tools, [document._id])
}

/**
 * Settles runs whose end is marked as unsettled, unless they ended a moment ago. Returns how many it repaired. If there
 * are none, this costs one look into an empty index.
 */
export async function settleRuns(tools: RunTools, scope: Scope, limit: number): Promise<number> {
  const { journal, runs } = tools.collections
  const found = await journal.find({ unsettled: true }).limit(limit).toArray()
  const marked = found.filter((document) => {
    const age = tools.clock.now() - (endedIn(document)?.at ?? 0)
    return age < 0 || age >= beingShown
  })
  if (marked.length === 0) return 0
  const theirs = await runs.find({ _id: { $in: marked.map(({ _id }) => _id.run) } }).toArray()
  const byId = new Map(theirs.map((run) => [run._id, run]))
  const mine = marked.filter(({ _id }) => {
    const run = byId.get(_id.run)
    return run ? inScope(scope, run.organization) : scope.organizations === 'all'
  })
  // Settle each run independently. A run that cannot be settled keeps its mark and does not stop the others.
  const outcomes = await Promise.allSettled(
    mine.map(async (document) => {
      const run = byId.get(document._id.run)
      return run ? settleEnd(tools, run, document) : false
    }),
  )
  const settled = mine.filter((_, index) => {
    const outcome = outcomes[index]
    return outcome?.status === 'fulfilled' && outcome.value !== null
  })
  await markSettled(
    tools,
    settled.map(({ _id }) => _id),
  )
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length
}
