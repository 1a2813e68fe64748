import { AlertStatus, type Cancellation, cancellationEntry, cancellationIn, type JournalEntry } from '../../../domain/index.ts'
import type { RunStore } from '../../port/index.ts'
import { storedEntry } from '../cases/timeline-documents.ts'
import { within } from '../database/index.ts'
import { journalDocument, readJournal } from '../journal/journal.ts'
import { type RunDocument, toRun } from './run-documents.ts'
import { settleRun } from './run-settle.ts'
import { wokenBy } from './run-sleep.ts'
import type { RunTools } from './run-tools.ts'

export function runCanceller(tools: RunTools): Pick<RunStore, 'cancel' | 'cancelled' | 'dropRetry'> {
  const { collections, insertJournal, insertEntry, caseOfAlert, written } = tools
  const { runs, alerts } = collections

  /**
   * Appends the cancellation to the journal, unless it is there already. Null if the journal has become
   * longer since it was read.
   */
  async function fence(run: RunDocument, journal: readonly JournalEntry[], cancellation: Cancellation): Promise<'already' | 'cancelled' | null> {
    if (cancellationIn(journal.flatMap(({ records }) => records))) return 'already'
    const position = (journal.at(-1)?.position ?? -1) + 1
    const entry: JournalEntry = { position, epoch: run.epoch, format: 1, records: [{ kind: 'cancelled', ...cancellation }] }
    return (await insertJournal(journalDocument(run._id, entry))) ? 'cancelled' : null
  }

  return {
    async cancel(scope, id, cancellation) {
      for (;;) {
        const run = await runs.findOne({ _id: id, ...within(scope) })
        const theCase = run && (await caseOfAlert(run.alert))
        if (!run || !theCase) return null
        const known = { uuid: theCase._id, caseId: theCase.caseId }
        const journal = await readJournal(collections, run)
        const end = journal.find(({ records }) => records.some(({ kind }) => kind === 'ended'))
        if (end) {
          // The process that ended the run may have died or may not have finished. Settle the run first, so
          // that its automatic retry exists and can be dropped.
          await settleRun(tools, run, end.position)
          return { kind: 'over', run: toRun((await runs.findOne({ _id: id })) ?? run, known) }
        }
        const kind = await fence(run, journal, cancellation)
        if (kind === null) continue
        const standing = cancellationIn(journal.flatMap(({ records }) => records)) ?? cancellation
        await runs.updateOne({ _id: id, state: { $in: ['waiting', 'running'] }, cancelled: null }, [
          { $set: { cancelled: { $literal: standing }, ...wokenBy(standing.at), heldBy: '$$REMOVE' } },
        ])
        const entry = cancellationEntry(id, standing)
        await insertEntry({ _id: { case: theCase._id, key: entry.key }, ...storedEntry(entry, written()) })
        return { kind, run: toRun((await runs.findOne({ _id: id })) ?? run, known) }
      }
    },
    async dropRetry(scope, id) {
      const run = await runs.findOne({ _id: id, undo: { $exists: false }, ...within(scope) }, { projection: { alert: 1, attempt: 1 } })
      if (!run) return false
      const { modifiedCount } = await alerts.updateOne(
        { _id: run.alert, status: AlertStatus.failed, retryCount: run.attempt - 1, retryAt: { $gt: 0 } },
        { $set: { retryAt: null } },
      )
      // If a crash comes before this write, only the run shows an outdated retry.
      if (modifiedCount > 0) await runs.updateOne({ _id: id }, { $set: { retryAt: null } })
      return modifiedCount > 0
    },
    async cancelled(scope, session) {
      const found = await runs
        .find({ owner: session, state: 'running', 'cancelled.at': { $gt: 0 }, ...within(scope) }, { projection: { _id: 1 } })
        .toArray()
      return found.map(({ _id }) => _id)
    },
  }
}
