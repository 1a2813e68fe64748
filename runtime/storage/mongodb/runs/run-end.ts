import { inScope, type RunId } from '../../../domain/index.ts'
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
  /** Resolves when the work is done that no caller of `end` waits for. */
  idle(): Promise<void>
}

export function runEnder(tools: RunTools, turns: BulkTurns): RunEnder {
  const { collections, insertJournal, caseOfAlert, facts } = tools
  const underWay = new Set<Promise<void>>()

  const settled = inBulks<JournalDocument['_id'], void>(turns, 256, async (ids) => {
    await markSettled(tools, ids)
    return ids.map(() => () => undefined)
  })
  /**
   * Removes the mark of an end later, without making the caller wait. While the mark is there, `settle` looks
   * and finds nothing to repair.
   */
  const settledLater = (id: JournalDocument['_id']): void => {
    const work = settled(id)
      .catch(() => undefined)
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }

  async function factsOf(id: RunId): Promise<RunFacts | null> {
    const remembered = facts.get(id)
    if (remembered) return remembered
    const run = await collections.runs.findOne({ _id: id })
    const theCase = run && (await caseOfAlert(run.alert))
    return theCase ? factsIn(run, theCase._id) : null
  }

  return {
    async end(scope, { run: id, epoch, position, records, state, reason, failure, retryAt, at, entries }) {
      const run = await factsOf(id)
      mustReach(run !== null && inScope(scope, run.organization), 'run')
      if (!run) return 'superseded'
      const ended: EndedRecord = { kind: 'ended', state, reason, failure, ...(retryAt !== null && { retryAt }), at }
      const document = journalDocument(id, { position, epoch, format: 1, records: [...records, ended] }, entries)
      if (!(await insertJournal(document))) return 'superseded'
      await projectEnd(tools, id, run, ended, entries)
      settledLater(document._id)
      return 'ended'
    },
    async idle() {
      await Promise.all(underWay)
    },
  }
}
