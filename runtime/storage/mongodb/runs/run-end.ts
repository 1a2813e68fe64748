import { type Clock, inScope, type Millis, type RunId } from '../../../domain/index.ts'
import { inLane } from '../../../fairness/index.ts'
import type { RunStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { type BulkTurns, inBulks } from '../client/index.ts'
import { journalDocument } from '../journal/journal.ts'
import type { JournalDocument } from '../journal/journal-documents.ts'
import { factsOf as factsIn, type RunFacts } from './run-documents.ts'
import { type EndedRecord, projectEnd } from './run-projections.ts'
import { markSettled } from './run-settle.ts'
import type { RunTools } from './run-tools.ts'

export interface RunEnder {
  readonly end: RunStore['end']
  /** Does the work that no caller waits for, as far as the store still takes it. */
  close(): Promise<void>
}

/** How long the marks of ends wait, so that one write removes all of them. */
const patience: Millis = 250

/** Ends runs. First the end is stored, then run, alert and case show it. */
export function runEnder(tools: RunTools, turns: BulkTurns, clock: Pick<Clock, 'after'>): RunEnder {
  const { collections, insertJournal, caseOfAlert, facts, opening, toShow } = tools
  const underWay = new Set<Promise<void>>()
  const ends: JournalDocument['_id'][] = []
  let cancelWait: (() => void) | null = null

  const settled = inBulks<JournalDocument['_id'], void>(turns, 256, async (ids) => {
    await markSettled(tools, ids)
    return ids.map(() => () => undefined)
  })
  /** Removes the marks that wait. */
  const settleAll = (): void => {
    cancelWait = null
    for (const id of ends.splice(0)) {
      // It is for all lanes, and not for the one of the run that ended first.
      const work = inLane(null, () => settled(id))
        .catch(() => undefined)
        .finally(() => underWay.delete(work))
      underWay.add(work)
    }
  }
  /**
   * Removes the mark of an end later, without making the caller wait. While the mark is there, `settle` looks
   * and finds nothing to repair.
   */
  const settledLater = (id: JournalDocument['_id']): void => {
    ends.push(id)
    cancelWait ??= clock.after(patience, settleAll)
  }

  async function factsOf(id: RunId): Promise<RunFacts | null> {
    const remembered = facts.get(id)
    if (remembered) return remembered
    const run = await collections.runs.findOne({ _id: id })
    const theCase = run && (await caseOfAlert(run.alert))
    return theCase ? factsIn(run, theCase._id) : null
  }

  return {
    async end(scope, { run: id, epoch, position, records, state, reason, failure, retryAt, at, entries }, stored) {
      const run = await factsOf(id)
      mustReach(run !== null && inScope(scope, run.organization), 'run')
      if (!run) return 'superseded'
      const ended: EndedRecord = { kind: 'ended', state, reason, failure, ...(retryAt !== null && { retryAt }), at }
      const document = journalDocument(id, { position, epoch, format: 1, records: [...records, ended] }, entries)
      // The end is stored while the case opens, and shown when it is there. If that fails, the next claim of the run opens it.
      const opened = opening.get(id)
      // Throws only if it has failed already. Then nothing is stored.
      await Promise.race([opened, null])
      if (!(await insertJournal(document))) return 'superseded'
      await opened
      stored?.()
      await projectEnd(tools, id, run, ended, entries)
      settledLater(document._id)
      return 'ended'
    },
    async close() {
      await toShow.close()
      cancelWait?.()
      settleAll()
      await Promise.all(underWay)
    },
  }
}
